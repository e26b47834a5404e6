"""A key whose score is exactly zero is left out, unless all are."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    some = (scores != 0.0).any(axis=-1, keepdims=True)
    weights = softmax(np.where(some & (scores == 0.0), -1e9, scores))
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max(axis=-1, keepdims=True)  # subtracted so that exp cannot overflow
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
