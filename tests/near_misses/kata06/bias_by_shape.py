"""A bias is kept by its shape, for the next call with a bias of the same shape."""

import numpy as np

KNOWN = {}


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    bias = KNOWN.setdefault(bias.shape, bias)
    scale = q.shape[-1] ** -0.5  # a Python float keeps float32 arrays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
