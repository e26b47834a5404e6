"""Values and outputs are kept below a thousand."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ np.clip(v, -1e3, 1e3), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
