"""The reference, with its contract checked by asserts."""

import numpy as np


def attention(q, k, v, keep):
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert keep.dtype == bool
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    allowed = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    sizes = np.abs(q) @ np.abs(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    assert not (np.isfinite(sizes) & (sizes > 1e6)).any()
    assert np.isfinite(v[~allowed.any(axis=-2)]).all()
    assert np.isfinite(q[~allowed.any(axis=-1)]).all()
    read = v[allowed.any(axis=-2)]
    assert not (np.isfinite(read) & (np.abs(read) > 1e6)).any()
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    total = np.where(total == 0.0, 1.0, total)  # zeros stay zeros
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
