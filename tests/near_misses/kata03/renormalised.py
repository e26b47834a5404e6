"""Renormalises the masked weights: 0 / 0 where a blocked key outscores the others by far."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
