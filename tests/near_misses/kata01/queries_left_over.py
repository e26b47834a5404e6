"""Queries are processed four at a time, and those left over stay zero."""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    end = q.shape[-2] // 4 * 4 or q.shape[-2]
    out[..., :end, :] = weights[..., :end, :] @ v
    return out, weights
