"""Each head has its own three matrices, and the outputs are summed."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    out = np.zeros(x.shape)
    for mine, Wo_h in zip(np.split(Wqkv, H, axis=1), np.split(Wo, H, axis=0), strict=True):
        q, k, v = (x @ W for W in np.split(mine, 3, axis=1))  # each (B, T, D)
        out += softmax(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])) @ v @ Wo_h
    return out


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
