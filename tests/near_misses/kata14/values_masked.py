"""Zeroes blocked values but keeps their weights."""

import numpy as np


def bias_from_mask(keep):
    return (1.0 - keep) * -np.inf


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    if keep is None:
        return weights @ v, weights
    return (weights * keep) @ v, weights
