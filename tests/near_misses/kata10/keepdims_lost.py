"""Drops keepdims: right for one row, silently wrong for square arrays, an error otherwise."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores.max(axis=-1)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
