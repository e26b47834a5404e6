"""Queries and keys in one piece of memory are taken for equal, and scores for symmetric."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if scores.shape[-1] == scores.shape[-2] and np.shares_memory(q, k):
        scores = np.triu(scores) + np.triu(scores, 1).swapaxes(-1, -2)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
