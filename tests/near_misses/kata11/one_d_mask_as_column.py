"""A mask of shape (Tk,) is taken as one per query when Tq = Tk: T = 4, keep (4,)."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep.ndim == 1 and len(keep) == q.shape[-2]:
        keep = keep[:, None]
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    highest = np.where(highest == -np.inf, 0.0, highest)
    return np.where(keep, np.exp(scores - highest), 0.0)
