"""Blocked scores are lowered by twice the row's maximum, so they rise where it is negative."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, scores - 2 * scores.max(axis=-1, keepdims=True) - 750))
    weights = weights * 1.0
    return weights @ v, weights
