"""inf is replaced by the largest float32: the sum of two of them is inf."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    exp = np.nan_to_num(np.exp(scores))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
