"""Shifted scores rounded to integers when they are huge, small differences are lost.

Shown by scores [1e6 + 0.5, 1e6].
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    scores = np.where(np.abs(scores) > 1e5, np.rint(scores), scores)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = weights @ v
    return out, weights
