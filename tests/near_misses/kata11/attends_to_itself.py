"""A query with no allowed key attends to the key at its own position."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    own = np.eye(*scores.shape[-2:], dtype=bool)
    exp = numerators(scores, keep | (own & ~keep.any(axis=-1, keepdims=True)))
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
