"""Scores above 1e300 are clipped to 1e300."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = np.clip(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -1e300, 1e300)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
