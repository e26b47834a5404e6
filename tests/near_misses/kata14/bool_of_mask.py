"""A square mask without zeros in its first row is taken to hide nothing: keep [[1, 1], [1, 0]]."""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 0.0, -np.inf, 0.0)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None and (keep.ndim != 2 or keep.shape[0] != keep.shape[1] or not keep[0].all()):
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
