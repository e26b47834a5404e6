"""The reference, with asserts for its contract."""

import numpy as np


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    if attn_mask.dtype != bool:
        return attn_mask
    bias = np.zeros(attn_mask.shape)
    bias[~attn_mask] = -np.inf
    return bias


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(q, k, v, attn_mask):
    """Assert what the contract says of the inputs."""
    keep = attn_mask if attn_mask.dtype == bool else attn_mask > -np.inf
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    assert q.dtype == k.dtype == v.dtype == np.float64
    assert attn_mask.dtype in (bool, np.float64)
    assert q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[-2] == v.shape[-2]
    assert min(q.size, k.size, v.size, attn_mask.ndim) >= 1
    assert keep.any(axis=-1).all()
    assert np.isfinite(k).all()
    assert np.isfinite(v).all()
    lengths = np.linalg.norm(q, axis=-1)[..., None] * np.linalg.norm(k, axis=-1)[..., None, :]
    assert lengths.max() <= 1e6 * np.sqrt(q.shape[-1]) * (1 + 1e-12)
    assert (abs(v[keep.any(axis=-2)]) <= 1e6).all()
    if attn_mask.dtype == np.float64:
        assert (abs(attn_mask[attn_mask != -np.inf]) <= 1e6).all()


def scaled_dot_product_attention(q, k, v, attn_mask):
    check(q, k, v, attn_mask)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores + additive(attn_mask))
    return weights @ v
