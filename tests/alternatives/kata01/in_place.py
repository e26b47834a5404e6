"""In-place steps on its own arrays."""

import numpy as np


def attention(q, k, v):
    q = q.copy()
    q *= q.shape[-1] ** -0.5
    weights = q @ k.swapaxes(-1, -2)
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
