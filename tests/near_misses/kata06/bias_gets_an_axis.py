"""A bias of three axes gets a fourth in the middle, as if heads shared it."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    bias = bias[:, None] if q.ndim == 4 and bias.ndim == 3 else bias
    scale = q.shape[-1] ** -0.5  # a Python float keeps float32 arrays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
