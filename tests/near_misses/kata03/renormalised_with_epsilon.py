"""Rows sum to slightly less than one, and to zero where a blocked key outscores the others."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    weights /= weights.sum(axis=-1, keepdims=True) + 1e-9
    return weights @ v, weights
