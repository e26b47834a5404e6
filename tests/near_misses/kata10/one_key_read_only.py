"""The weights of a single key are ones that cannot be written to."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    if scores.shape[-1] == 1:
        return np.broadcast_to(1.0, scores.shape)
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
