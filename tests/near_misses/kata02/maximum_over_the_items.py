"""One maximum for all items of a batch."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=(0, -1) if x.ndim > 2 else -1, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
