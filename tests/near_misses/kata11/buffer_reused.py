"""The output is a buffer that the next call with the same shape overwrites."""

import numpy as np

BUFFERS = {}


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)  # zeros stay zeros
    out = exp @ v / total
    buffer = BUFFERS.setdefault(out.shape, np.empty_like(out))
    buffer[...] = out
    return buffer, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
