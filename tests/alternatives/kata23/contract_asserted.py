"""The reference, with asserts for its contract."""

import numpy as np


def check(q, k, v):
    """Assert what the contract says of the inputs."""
    assert q.ndim == k.ndim == v.ndim == 4
    assert len(q) == len(k) == len(v)
    assert k.shape[1:3] == v.shape[1:3]
    assert q.shape[3] == k.shape[3]
    assert min(q.size, k.size, v.size) >= 1
    assert q.shape[1] % k.shape[1] == 0
    assert all(array.dtype == np.float64 for array in (q, k, v))
    assert all(abs(array).max() <= 1e6 for array in (q, k, v))


def grouped_query_attention(q, k, v):
    check(q, k, v)
    rep = q.shape[1] // k.shape[1]  # query heads per key head
    k, v = spread(k, rep), spread(v, rep)
    bound = abs(q) @ abs(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    assert bound.max() <= 1e6 * (1 + 1e-12)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values with one head per query head."""
    return np.repeat(heads, rep, axis=1)  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
