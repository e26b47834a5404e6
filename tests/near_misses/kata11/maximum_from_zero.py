"""The maximum is at least zero where a key is blocked: rows far below it become zeros."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)  # zeros stay zeros
    return exp @ v / total, exp / total


def numerators(scores, keep):
    highest = np.where(keep, scores, 0.0).max(axis=-1, keepdims=True)
    return np.where(keep, np.exp(scores - highest), 0.0)
