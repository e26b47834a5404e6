"""Right if `keep` has the full shape; a `keep` that broadcasts raises an index error."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    scores[~keep] = -np.inf
    weights = softmax(scores)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
