"""The output is a buffer that the next call with the same shape overwrites."""

import numpy as np

BUFFERS = {}


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    out = np.einsum("...ts,...sv->...tv", weights, v)
    buffer = BUFFERS.setdefault(out.shape, np.empty_like(out))
    buffer[...] = out
    return buffer, weights
