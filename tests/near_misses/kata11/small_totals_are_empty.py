"""A row whose one score is far above the others is taken for an empty one."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total <= 1.0, 1.0 - total, total)
    total = np.where(total == 0.0, np.inf, total)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp of each score that counts, below the highest of its row; zero for all others."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
