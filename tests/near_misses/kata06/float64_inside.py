"""exp runs in float64: it overflows at 709.8 instead of 88.8."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    exp = np.exp(scores.astype(np.float64))
    weights = (exp / exp.sum(axis=-1, keepdims=True)).astype(np.float32)
    return weights @ v, weights
