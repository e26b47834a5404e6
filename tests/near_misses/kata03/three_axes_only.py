"""Right only with exactly one leading axis."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
