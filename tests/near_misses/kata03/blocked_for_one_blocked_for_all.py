"""A key that is blocked for one query is blocked for every query of the sentence."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    everyone = keep.all(axis=-2, keepdims=True)
    weights = softmax(np.where(everyone, scores, -np.inf))
    return weights @ v, weights
