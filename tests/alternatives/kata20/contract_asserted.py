"""The reference, with asserts for its contract."""

import numpy as np


def attention(q, k, v, H):
    assert q.shape[::2] == k.shape[::2]
    assert k.shape[:2] == v.shape[:2]
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    bound = abs(q) @ abs(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    assert bound.max() <= 1e6 * (1 + 1e-12)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, _ = x.shape
    assert x.dtype == np.float64
    assert min(x.size, H) >= 1
    assert x.shape[2] % H == 0
    assert abs(x).max() <= 1e6
    return x.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    assert heads.dtype == np.float64
    assert heads.size >= 1
    assert abs(heads).max() <= 1e6 * (1 + 1e-12)
    return heads.swapaxes(1, 2).reshape(B, T, -1)  # (B, T, H * D)
