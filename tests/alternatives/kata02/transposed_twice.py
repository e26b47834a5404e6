"""Scores with one row per key, softmax down the columns, transposed at the end."""

import numpy as np


def attention(q, k, v):
    scores = k @ np.swapaxes(q, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tk, Tq)
    exp = np.exp(scores - scores.max(axis=-2, keepdims=True))
    weights = np.swapaxes(exp / exp.sum(axis=-2, keepdims=True), -1, -2)
    return weights @ v, weights
