"""The bias grows with the scores of the row."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    with np.errstate(over="ignore"):
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        largest = np.abs(scores).max(axis=-1, keepdims=True)
        weights = softmax(scores + np.where(keep, 0.0, -4 * largest - 1e9))
    return weights @ v, weights
