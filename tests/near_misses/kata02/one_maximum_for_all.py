"""One maximum for all rows: a row far below it becomes 0 / 0."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max())
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
