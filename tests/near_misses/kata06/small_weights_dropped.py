"""Weights below one in a hundred thousand are dropped."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    scale = q.shape[-1] ** -0.5  # a Python float keeps float32 arrays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    weights = np.where(weights < 1e-5, np.float32(0.0), weights)
    return weights @ v, weights
