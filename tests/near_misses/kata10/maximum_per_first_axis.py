"""With several leading axes, the heads of an item share a maximum."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max(axis=-1, keepdims=True)  # subtracted so that exp cannot overflow
    highest = highest.max(axis=1, keepdims=True) if scores.ndim > 3 else highest
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
