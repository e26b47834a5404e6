"""Blocked scores are 1000 below the lowest allowed score."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    floor = np.min(np.where(keep, scores, np.inf), axis=-1, keepdims=True) - 1000
    scores = np.where(keep, scores, floor)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
