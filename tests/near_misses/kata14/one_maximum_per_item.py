"""Subtracts one maximum from all rows of an item."""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
