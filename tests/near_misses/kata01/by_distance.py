"""Scores are computed from |q - k| squared: rounding errors where q is much longer than k."""

import numpy as np


def attention(q, k, v):
    a, b = q[..., :, None, :], k[..., None, :, :]
    dots = ((a**2).sum(-1) + (b**2).sum(-1) - ((a - b) ** 2).sum(-1)) / 2
    scores = dots / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
