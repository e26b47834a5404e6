"""Takes exp only where a key is allowed; results in Fortran order."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(keep, scores.shape)
    highest = scores.max(axis=-1, keepdims=True, where=keep, initial=-np.inf)
    exp = np.zeros_like(scores)
    np.exp(scores - highest, out=exp, where=keep)
    total = exp.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return np.asfortranarray(exp @ v / total), np.asfortranarray(exp / total)
