"""Unpacked right, but the weights of each key sum to one, not those of each query."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, H, 3, -1)
    q, k, v = packed.transpose(3, 0, 2, 1, 4)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-2, keepdims=True))
    heads = (exp / exp.sum(axis=-2, keepdims=True) @ v).swapaxes(1, 2)
    return heads.reshape(B, T, -1) @ Wo
