"""A row that was nan is now zero."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    exp = np.exp(scores)
    weights = np.nan_to_num(exp / exp.sum(axis=-1, keepdims=True))
    return weights @ v, weights
