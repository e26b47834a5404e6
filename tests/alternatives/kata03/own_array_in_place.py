"""copyto and in-place steps on its own array."""

import numpy as np


def attention(q, k, v, keep):
    weights = np.ascontiguousarray((q / np.sqrt(q.shape[-1])) @ k.swapaxes(-1, -2))
    np.copyto(weights, -np.inf, where=~keep)
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
