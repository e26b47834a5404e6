"""Divides the caller's queries in place."""

import numpy as np


def attention(q, k, v):
    q /= np.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(-1, -2)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
