"""An empty row attends to everything and its out is multiplied by 0.

Shown by values of 1.7e308 (finite, blocked) overflow to nan.
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)
    some = np.any(keep, axis=-1, keepdims=True)
    return exp @ v / total * some, exp / total * some


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    some = np.any(keep, axis=-1, keepdims=True)
    keep = keep | ~some
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)
    return np.where(keep, np.exp(scores - highest), 0.0)
