"""Arrays that share memory are taken for one array."""

import numpy as np


def attention(q, k, v):
    if q.shape == k.shape and np.shares_memory(q, k):
        k = q
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
