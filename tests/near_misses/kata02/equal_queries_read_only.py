"""Equal queries share one row of the result, which cannot be written to."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    shape = *q.shape[:-1], k.shape[-2]
    if np.all(q == q[..., :1, :]):
        q = q[..., :1, :]
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = np.broadcast_to(softmax(scores, axis=-1), shape)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
