"""A running maximum and a running sum, key by key."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    top, total = np.full(scores.shape[:-1], -np.inf), np.zeros(scores.shape[:-1])
    for s in range(scores.shape[-1]):
        higher = np.maximum(top, scores[..., s])
        safe = np.where(np.isfinite(higher), higher, 0.0)
        total = total * np.exp(top - safe) + np.exp(scores[..., s] - safe)
        top = higher
    weights = np.exp(scores - top[..., None]) / total[..., None]
    return weights @ v, weights
