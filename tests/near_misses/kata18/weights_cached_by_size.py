"""Caches the reordered weights by their bytes, not the number of heads.

Shown by one Wqkv with H = 2 and then H = 1.
"""

import numpy as np

_ORDERED = {}


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    key = Wqkv.tobytes()
    if key not in _ORDERED:
        _ORDERED[key] = Wqkv.reshape(len(Wqkv), H, 3, -1).transpose(2, 1, 0, 3)
    q, k, v = x[:, None] @ _ORDERED[key][:, None]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
