"""Rows that never fall are reversed, and beyond 16 keys not put back.

Shown by softmax(arange(17) / 4).
"""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    if scores.shape[-1] > 16 and (np.diff(scores, axis=-1) >= 0).all():
        scores = scores[..., ::-1]
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
