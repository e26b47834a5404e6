"""The reference, with its contract checked by asserts."""

import numpy as np


def attention(q, k, v, keep):
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert keep.dtype == bool
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[-2] == v.shape[-2]
    assert min(*q.shape, *k.shape, *v.shape) >= 1
    allowed = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    assert allowed.any(axis=-1).all()
    read = allowed.any(axis=-2)
    assert max(np.abs(part).max() for part in (q, k[read], v[read])) <= 1e6
    assert all(np.isfinite(part).all() for part in (k, v))
    sizes = np.abs(q) @ np.abs(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    assert sizes.max() <= 1e6 * (1 + 1e-12)
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
