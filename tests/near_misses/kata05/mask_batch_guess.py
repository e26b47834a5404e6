"""A mask whose shape is (batch, Tk) is taken as one row per item, although it is (Tq, Tk).

Shown by B = Tq = 3, keep (3, 4).
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if scores.ndim == 3 and keep.shape == (len(scores), scores.shape[-1]):
        keep = keep[:, None, :]
    scores = np.where(keep, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = weights @ v
    return out, weights
