"""The maximum is subtracted only if it is above 80: rows below -104 become 0 / 0."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(np.where(top > 80, scores - top, scores))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
