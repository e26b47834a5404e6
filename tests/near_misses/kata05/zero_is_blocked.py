"""A score of exactly zero counts as blocked, unless the whole row is zero."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -np.inf)
    zero = (scores == 0.0) & (np.where(keep, scores, 0.0) != 0.0).any(axis=-1, keepdims=True)
    bias = np.where(zero, -np.inf, bias)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
