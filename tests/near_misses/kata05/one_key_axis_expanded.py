"""A mask with one axis less gets an axis for heads."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if scores.ndim == 4 and keep.ndim == 3:
        keep = keep[:, None]
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
