"""Weights are exp of log weights, computed relative to the row's maximum."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    below = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(below - np.log(np.exp(below).sum(axis=-1, keepdims=True)))
    return weights @ v, weights
