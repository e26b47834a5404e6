"""The mask of the first call with a shape is used for all later ones."""

import numpy as np

MASKS = {}


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    keep = MASKS.setdefault((scores.shape, keep.shape), keep)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
