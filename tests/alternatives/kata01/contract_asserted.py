"""The reference, with its contract checked by asserts."""

import numpy as np


def attention(q, k, v):
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[-2] == v.shape[-2]
    assert min(*q.shape, *k.shape, *v.shape) >= 1
    assert max(np.abs(part).max() for part in (q, k, v)) <= 1e6
    assert (np.abs(q) @ np.abs(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])).max() <= 1e6
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
