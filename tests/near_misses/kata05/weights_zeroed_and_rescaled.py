"""Blocked weights are zeroed and the rest rescaled: 0 / 0 if a blocked key had all the weight."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores + np.where(keep, 0.0, -1e9)) * keep
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
