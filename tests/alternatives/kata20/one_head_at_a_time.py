"""Loops over the heads, without the helpers."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, E = x.shape
    D = E // H
    return x.reshape(B, T, H, D).transpose(0, 2, 1, 3)  # (B, H, T, D)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, -1)


def attention(q, k, v, H):
    D, Dv = q.shape[-1] // H, v.shape[-1] // H
    out, weights = np.empty((*q.shape[:2], H * Dv)), []
    for h in range(H):
        own = slice(h * D, (h + 1) * D)
        weights.append(softmax((q[..., own] / D**0.5) @ k[..., own].swapaxes(1, 2)))
        out[..., h * Dv : (h + 1) * Dv] = weights[-1] @ v[..., h * Dv : (h + 1) * Dv]
    return out, np.stack(weights, axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
