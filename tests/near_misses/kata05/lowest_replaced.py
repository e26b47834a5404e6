"""Blocked scores are the lowest float64: they tie with an allowed score of that size."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(np.where(keep, scores, np.finfo(np.float64).min))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
