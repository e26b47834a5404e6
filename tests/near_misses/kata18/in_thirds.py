"""The columns are split in thirds, then each third into heads."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    thirds = np.split(x @ Wqkv, 3, axis=-1)
    q, k, v = (third.reshape(B, T, H, -1).swapaxes(1, 2) for third in thirds)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
