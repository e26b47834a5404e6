"""The columns are sorted into three matrices before the projection."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, E = x.shape
    by_matrix = Wqkv.reshape(E, H, 3, -1).swapaxes(1, 2).reshape(E, -1)
    q, k, v = ((x @ W).reshape(B, T, H, -1).swapaxes(1, 2) for W in np.split(by_matrix, 3, axis=1))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
