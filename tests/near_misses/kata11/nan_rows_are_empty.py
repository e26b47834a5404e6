"""Treats every row with a nan as empty."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    empty = np.isnan(total) | (total == 0.0)
    total = np.where(empty, 1.0, total)
    exp = np.where(empty, 0.0, exp)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
