"""Keys blocked for every query are set to zero, so they score zero."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = (
        q @ (k * keep.any(axis=-2)[..., None]).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    )  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    return weights @ v, weights
