"""Reads the keys in blocks of 16 and drops an incomplete last block."""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    if (tail := scores.shape[-1] % 16) < scores.shape[-1]:
        scores[..., scores.shape[-1] - tail :] = -np.inf
    weights = softmax(scores)
    return weights @ v, weights
