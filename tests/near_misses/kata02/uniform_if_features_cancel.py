"""A query whose features sum to zero is taken for a query of zeros."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    scores[q.sum(axis=-1) == 0] = 0
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
