"""Copies are right, but the maximum is taken across batch items: far lower rows become 0 / 0."""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, rep, axis=1), np.repeat(v, rep, axis=1)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=(0, 3), keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True) @ v
