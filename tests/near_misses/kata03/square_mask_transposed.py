"""A mask with as many queries as keys is transposed."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep.ndim > 1 and keep.shape[-1] == keep.shape[-2]:
        keep = keep.swapaxes(-1, -2) | ~keep.any(axis=-2)[..., None]
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
