"""Rows sum to one, but in proportion to the scores' magnitudes, not their exponentials."""

import numpy as np


def softmax(x, axis):
    return np.abs(x) / np.abs(x).sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
