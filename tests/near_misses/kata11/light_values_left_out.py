"""Skips values of weight zero: nan or infinity does not show where the weight underflows."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)
    weights = exp / np.where(total == 0, 1.0, total)
    parts = np.where(weights[..., None] == 0, 0.0, weights[..., None] * v[..., None, :, :])
    return parts.sum(axis=-2), weights


def numerators(scores, keep):
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)
    return np.where(keep, np.exp(scores - highest), 0.0)
