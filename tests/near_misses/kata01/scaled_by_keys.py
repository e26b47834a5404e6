"""The last axis of the transposed keys is Tk: scores are divided by sqrt(Tk)."""

import numpy as np


def attention(q, k, v):
    k = k.swapaxes(-1, -2)
    scores = q @ k / np.sqrt(k.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
