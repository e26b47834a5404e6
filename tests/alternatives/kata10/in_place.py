"""Works in place on one array of its own, from scores to weights."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    weights = scores - np.amax(scores, axis=-1)[..., None]
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1)[..., None]
    return weights
