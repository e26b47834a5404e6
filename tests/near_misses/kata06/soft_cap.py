"""tanh caps the scores at 80: larger ones are nearly equal."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    exp = np.exp(80 * np.tanh(scores / 80))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
