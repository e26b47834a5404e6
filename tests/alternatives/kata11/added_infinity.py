"""Adds minus infinity to blocked scores, then sets empty rows to zero."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + np.where(keep, 0.0, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    weights = np.where(keep.any(axis=-1, keepdims=True), weights, 0.0)
    return weights @ v, weights
