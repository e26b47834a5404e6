"""The reference, with its contract checked by asserts."""

import numpy as np


def attention(q, k, v, keep):
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert keep.dtype == bool
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    allowed = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    assert allowed.any(axis=-1).all()
    assert np.isfinite(np.abs(q) @ np.abs(k).swapaxes(-1, -2)).all()
    assert np.isfinite(v).all()
    assert np.abs(v[allowed.any(axis=-2)]).max() <= 1e6
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
