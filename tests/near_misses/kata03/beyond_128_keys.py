"""Keys beyond the 128th are always allowed."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    late = np.arange(scores.shape[-1]) >= 128
    weights = softmax(np.where(keep | late, scores, -np.inf))
    return weights @ v, weights
