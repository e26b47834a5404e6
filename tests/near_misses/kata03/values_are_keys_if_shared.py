"""Values whose memory overlaps with that of the keys are taken for the keys."""

import numpy as np


def attention(q, k, v, keep):
    v = k if v.shape == k.shape and np.may_share_memory(k, v) else v
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
