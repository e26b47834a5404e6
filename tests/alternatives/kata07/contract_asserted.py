"""The reference, with asserts for its contract."""

import numpy as np


def split(x, H):
    """Split the last axis into heads."""
    B, T, E = x.shape
    return x.reshape(B, T, H, E // H).swapaxes(1, 2)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads along the last axis."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(q, k, v, H):
    """Assert what the contract says of the inputs."""
    assert q.ndim == k.ndim == 3
    assert k.shape == v.shape == (len(q), k.shape[1], q.shape[2])
    assert min(q.size, k.size, H) >= 1
    assert q.shape[2] % H == 0
    assert all(array.dtype == np.float64 for array in (q, k, v))
    assert all(abs(array).max() <= 1e6 for array in (q, k, v))
    q, k = (abs(split(x, H)) for x in (q, k))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    assert scores.max() <= 1e6 * (1 + 1e-12)


def multi_head_attention(q, k, v, H):
    check(q, k, v, H)
    q, k, v = (split(x, H) for x in (q, k, v))
    scale = q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhtd,bhsd->bhts", q, k)
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge(np.einsum("bhts,bhsd->bhtd", weights, v))
