"""Blocked scores are the lowest float64: they tie with an allowed score of that size."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, np.finfo(scores.dtype).min))
    return weights @ v, weights
