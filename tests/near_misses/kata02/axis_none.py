"""One softmax over all pairs in the call."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=None)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
