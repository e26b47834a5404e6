"""The maximum is that of the same row of the first item."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    first = scores[(0,) * (scores.ndim - 2)]
    exp = np.exp(scores - first.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
