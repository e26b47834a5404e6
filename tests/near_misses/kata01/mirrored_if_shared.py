"""Where queries and keys share memory, half of the scores is mirrored: they need not be equal."""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if q.shape == k.shape and np.may_share_memory(q, k):
        scores = np.tril(scores) + np.tril(scores, -1).swapaxes(-1, -2)
    weights = softmax(scores)
    return weights @ v, weights


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
