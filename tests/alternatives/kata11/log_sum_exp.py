"""Weights as exponentials of log-weights."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    below = scores - scores.max(axis=-1, keepdims=True)
    total = np.log(np.exp(below).sum(axis=-1, keepdims=True))
    some = np.broadcast_to(keep, scores.shape).any(axis=-1, keepdims=True)
    weights = np.where(some, np.exp(below - total), 0.0)
    return weights @ v, weights
