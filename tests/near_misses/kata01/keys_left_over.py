"""Keys come in blocks of eight, and an incomplete block is dropped unless it is the only one."""

import numpy as np


def attention(q, k, v):
    end = k.shape[-2] // 8 * 8 or k.shape[-2]
    k, v = k[..., :end, :], v[..., :end, :]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
