"""Looks for keys that no query attends to instead of queries with no allowed key."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    empty = ~np.broadcast_to(keep, exp.shape).any(axis=-2)[..., None]  # (..., Tk, 1)
    total = np.where(np.resize(empty, total.shape), 1.0, total)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
