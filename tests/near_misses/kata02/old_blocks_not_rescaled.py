"""Keys in blocks of 16: when the maximum grows, earlier numerators are not rescaled."""

import numpy as np


def softmax(x, axis):
    starts = np.arange(0, x.shape[axis], 16)
    highest = np.maximum.accumulate(np.maximum.reduceat(x, starts, axis=axis), axis=axis)
    exp = np.exp(x - np.repeat(highest, 16, axis=axis)[..., : x.shape[axis]])
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
