"""Keys that run backwards over the memory of the queries are turned round, but not the values."""

import numpy as np


def attention(q, k, v, keep):
    if np.shares_memory(q, k) and q.strides[-2] == -k.strides[-2]:
        k = k[..., ::-1, :]
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(highest == -np.inf, 0.0, highest))
    total = exp.sum(axis=-1, keepdims=True)
    weights = exp / np.where(total == 0.0, 1.0, total)
    return weights @ v, weights
