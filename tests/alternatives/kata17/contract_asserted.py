"""The reference, with asserts for its contract."""

import numpy as np


def check(q, k, v, keep):
    """Assert what the contract says of the inputs."""
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert keep.dtype == bool
    assert q.ndim == k.ndim == v.ndim == 3
    assert len(q) == len(k) == len(v)
    assert len(q) % len(keep) == 0
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[1] == v.shape[1] == keep.shape[1]
    assert min(q.size, k.size, v.size) >= 1
    assert keep.any(axis=-1).all()
    tokens = keep.repeat(len(q) // len(keep), axis=0)
    assert np.isfinite(k).all()
    assert np.isfinite(v).all()
    lengths = np.linalg.norm(q, axis=-1)[..., None] * np.linalg.norm(k, axis=-1)[..., None, :]
    assert lengths.max() <= 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-12)
    assert (abs(v[tokens]) <= 1e6).all()
    assert (abs(k[tokens]) <= 1e6).all()


def attention(q, k, v, keep):
    check(q, k, v, keep)
    rep = len(q) // len(keep)  # heads per sentence
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
