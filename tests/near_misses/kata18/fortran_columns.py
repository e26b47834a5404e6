"""The column axis is reshaped in Fortran order."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    W = Wqkv.reshape(Wqkv.shape[0], H, 3, -1, order="F")
    q, k, v = np.einsum("bte,ehjd->jbhtd", x, W)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
