"""The maximum is subtracted and exp taken in float64; the weights are float32."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    scores = scores.astype(np.float64)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = (exp / exp.sum(axis=-1, keepdims=True)).astype(np.float32)
    return weights @ v, weights
