"""Scores that are all equal, for `np.allclose`, get equal weights."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    if np.allclose(scores, scores[..., :1]):
        weights = np.full(scores.shape, 1.0 / scores.shape[-1])
        return weights @ v, weights
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
