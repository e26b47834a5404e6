"""The reference, with asserts for its contract."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(q, keys, values, lengths):
    """Assert what the contract says of the inputs."""
    assert q.dtype == keys.dtype == values.dtype == np.float64
    assert lengths.dtype == np.int64
    assert q.shape[:2] == keys.shape[:2] == values.shape[:2]
    assert len(q) == len(lengths)
    assert q.shape[-1] == keys.shape[-1]
    assert keys.shape[2] == values.shape[2]
    assert min(q.size, keys.size, values.size) >= 1
    assert ((lengths >= 1) & (lengths <= keys.shape[2])).all()
    assert (abs(q) <= 1e6).all()
    rows = filled(lengths, keys.shape[2])[:, None].repeat(q.shape[1], axis=1)
    assert not (abs(keys[rows]) > 1e6).any()
    assert not (abs(values[rows]) > 1e6).any()
    sizes = np.linalg.norm(q, axis=-1)[..., None] * np.linalg.norm(keys, axis=-1)
    assert not (sizes[rows] > 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-12)).any()


def decode(q, keys, values, lengths):
    check(q, keys, values, lengths)
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    weights = softmax(np.where(keep, scores, -np.inf))
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
