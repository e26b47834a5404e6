"""The reference, with its contract checked by asserts."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    assert all(part.dtype == np.float32 for part in (q, k, v, bias))
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    assert np.isfinite(np.abs(q) @ np.abs(k).swapaxes(-1, -2) + np.abs(bias)).all()
    assert np.abs(v).max() <= 1e6
    scale = q.shape[-1] ** -0.5  # a Python float keeps float32 arrays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
