"""The mask comes after exp, and the maximum is over allowed keys only."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * q.shape[-1] ** -0.5
    top = np.max(scores, axis=-1, keepdims=True, where=keep, initial=-np.inf)
    exp = np.where(keep, np.exp(np.minimum(scores - top, 0.0)), 0.0)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
