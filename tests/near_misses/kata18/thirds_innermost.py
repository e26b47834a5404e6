"""Split in thirds, and within each third the heads alternate number by number."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, 3, -1, H)
    q, k, v = packed.transpose(2, 0, 4, 1, 3)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
