"""The logarithm of one is zero, and that of zero is -inf."""

import numpy as np


def bias_from_mask(keep):
    with np.errstate(divide="ignore"):
        return np.log(keep)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
