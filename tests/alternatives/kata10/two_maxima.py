"""Subtracts the overall maximum first, which is harmless, then the row maximum."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    below = scores - scores.max()
    exp = np.exp(below - below.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
