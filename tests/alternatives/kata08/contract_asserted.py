"""The reference, with asserts for its contract."""

import numpy as np


def check_lengths(lengths, T):
    """Assert what the contract says of lengths."""
    assert lengths.ndim == 1
    assert lengths.dtype == np.int64
    assert ((lengths >= 1) & (lengths <= T)).all()


def check(q, k, v, keep):
    """Assert what the contract says of the inputs of attention."""
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert q.ndim == k.ndim == v.ndim == 3
    assert len(q) == len(k) == len(v)
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[1] == v.shape[1]
    assert min(q.size, k.size, v.size) >= 1
    assert keep.dtype.kind in "biu"
    assert np.isin(keep, (0, 1)).all()
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[1])) == 1
    assert keep.any(axis=-1).all()
    assert np.isfinite(k).all()
    assert np.isfinite(v).all()
    lengths = np.linalg.norm(q, axis=-1)[..., None] * np.linalg.norm(k, axis=-1)[..., None, :]
    assert lengths.max() <= 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-12)
    assert (abs(v[keep.any(axis=1)]) <= 1e6).all()
    assert (abs(k[keep.any(axis=1)]) <= 1e6).all()


def blocked_from_lengths(lengths, T):
    check_lengths(lengths, T)
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    check(q, k, v, keep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, ~padding[:, None, :])
