"""The amount subtracted grows with the scores (-inf where it overflows)."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    far = 1e9 * (1.0 + np.abs(scores).max(axis=-1, keepdims=True))
    weights = softmax(scores - np.where(keep, 0.0, far))
    return weights @ v, weights
