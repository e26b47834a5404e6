"""Scores go through float32 when the matrix has more than 4096 entries.

Shown by Tq = Tk = 65, scores in the thousands.
"""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if scores.shape[-1] * scores.shape[-2] > 4096:
        scores = scores.astype(np.float32).astype(np.float64)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = weights @ v
    return out, weights
