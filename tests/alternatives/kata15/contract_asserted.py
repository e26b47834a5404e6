"""The reference, with asserts for its contract."""

import numpy as np

BLOCKED = np.float32(-1e30)  # finite: the softmax of a row full of -inf would be nan


def causal_mask(T):
    """Added to scores: BLOCKED where the key comes after the query."""
    return np.triu(np.full((T, T), BLOCKED), k=1)


def padding_mask(keep):
    """Added to scores: BLOCKED where the key is padding."""
    return np.where(keep, np.float32(0), BLOCKED)[:, None, None, :]  # (B, 1, 1, T)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(q, k, v, keep):
    """Assert what the contract says of the inputs."""
    assert q.dtype == k.dtype == v.dtype == np.float32
    assert keep.dtype == bool
    assert q.shape == k.shape
    assert q.shape[:3] == v.shape[:3]
    assert keep.shape == (len(q), q.shape[2])
    assert min(q.size, v.size) >= 1
    assert np.isfinite(k).all()
    assert np.isfinite(v).all()
    sizes = [np.linalg.norm(array.astype(float), axis=-1) for array in (q, k)]
    products = sizes[0][..., :, None] * sizes[1][..., None, :]
    assert products.max() <= 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-6)
    assert (abs(v.swapaxes(1, 2)[keep]) <= 1e6).all()


def masked_attention(q, k, v, keep):
    check(q, k, v, keep)
    T, D = q.shape[-2:]
    bias = np.minimum(causal_mask(T), padding_mask(keep))  # (B, 1, T, T)
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
