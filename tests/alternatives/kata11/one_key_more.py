"""Adds an extra key with a value of zeros, which only empty rows attend to."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(keep, scores.shape)
    scores = np.where(keep, scores, -np.inf)
    extra = np.where(keep.any(axis=-1, keepdims=True), -np.inf, 0.0)
    scores = np.concatenate([scores, extra], axis=-1)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (exp / exp.sum(axis=-1, keepdims=True))[..., :-1]
    return weights @ v, weights
