"""A readable key whose score is exactly zero is blocked, unless all of the row are."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    kept = np.where(keep, scores, 0.0)
    some = (kept != 0.0).any(axis=-1, keepdims=True)
    keep = np.where(some, kept != 0.0, keep)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
