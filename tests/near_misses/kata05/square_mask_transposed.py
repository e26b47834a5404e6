"""A square mask is transposed."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep.ndim > 1 and keep.shape[-1] == keep.shape[-2]:
        keep = keep.swapaxes(-1, -2)
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
