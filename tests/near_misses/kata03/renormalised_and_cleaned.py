"""Where renormalising gives NaN, it returns zeros instead of the value of the allowed key."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    weights = np.nan_to_num(weights / weights.sum(axis=-1, keepdims=True))
    return weights @ v, weights
