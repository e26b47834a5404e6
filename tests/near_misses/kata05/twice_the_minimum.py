"""Blocked scores are twice the minimum minus 1e4: the highest of all in a row near 1e10."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    floor = 2 * scores.min(axis=-1, keepdims=True) - 1e4
    weights = softmax(np.where(keep, scores, floor))
    return weights @ v, weights
