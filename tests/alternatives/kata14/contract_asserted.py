"""The reference, with asserts for its contract."""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(q, k, v, keep):
    """Assert what the contract says of the inputs."""
    assert q.dtype == k.dtype == v.dtype == keep.dtype == np.float64
    assert np.isin(keep, (0.0, 1.0)).all()
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[-2] == v.shape[-2]
    assert min(q.size, k.size, v.size, keep.ndim) >= 1
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2])) == 1.0
    assert keep.any(axis=-1).all()
    assert np.isfinite(k).all()
    assert np.isfinite(v).all()
    lengths = np.linalg.norm(q, axis=-1)[..., None] * np.linalg.norm(k, axis=-1)[..., None, :]
    assert lengths.max() <= 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-12)
    assert (abs(v[keep.any(axis=-2)]) <= 1e6).all()
    assert (abs(k[keep.any(axis=-2)]) <= 1e6).all()


def attention(q, k, v, keep=None):
    check(q, k, v, np.ones(1) if keep is None else keep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
