"""Values are summed with the raw exponentials; the division comes last."""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total = exp.sum(axis=-1, keepdims=True)
    return exp @ v / total, exp / total
