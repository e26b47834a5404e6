"""Copies are right, but the softmax overflows for large scores."""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, rep, axis=1), np.repeat(v, rep, axis=1)
    exp = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return exp / exp.sum(axis=-1, keepdims=True) @ v
