"""A mask of three axes gets a head axis where q has four."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if q.ndim == 4 and keep.ndim == 3:
        keep = keep[:, None] if len(keep) == len(q) else keep
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
