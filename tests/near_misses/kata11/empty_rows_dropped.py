"""Zeroes the rows that are empty in the first item, in every item."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    kept = np.broadcast_to(keep, exp.shape).reshape(-1, *exp.shape[-2:])[0]
    full = kept.any(axis=-1)[:, None]  # (Tq, 1)
    return np.where(full, exp @ v / total, 0.0), np.where(full, exp / total, 0.0)


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
