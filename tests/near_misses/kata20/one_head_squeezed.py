"""Splits one head with a squeeze that also drops a feature axis of size one: H = 1, D = 1."""

import numpy as np


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, _ = x.shape
    if H == 1:
        return np.squeeze(x)[None, None] if B == 1 and T > 1 else x[:, None]
    return x.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1)  # (B, T, H * D)
