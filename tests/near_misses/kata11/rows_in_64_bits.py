"""A row of up to 64 keys is empty if its keys, as bits of one integer, give zero: one is lost."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(keep, scores.shape)
    keys = np.arange(keep.shape[-1])
    empty = ~keep.any(axis=-1, keepdims=True)
    if len(keys) <= 64:
        empty = (keep * (2 << keys)).sum(axis=-1, keepdims=True) == 0
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(np.where(empty, -np.inf, scores - scores.max(axis=-1, keepdims=True)))
    weights = exp / np.where(empty, 1.0, exp.sum(axis=-1, keepdims=True))
    return weights @ v, weights
