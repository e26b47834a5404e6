"""Right until a score passes 709; then infinity over infinity."""

import numpy as np


def attention(q, k, v):
    exp = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
