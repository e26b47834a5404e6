"""Explicit slices for each head, concatenated at the end."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    D = Wqkv.shape[1] // (3 * H)
    packed, heads = x @ Wqkv, []
    for h in range(H):
        mine = packed[..., 3 * D * h : 3 * D * (h + 1)]
        q, k, v = mine[..., :D], mine[..., D : 2 * D], mine[..., 2 * D :]
        heads.append(np.matmul(softmax(np.matmul(q / np.sqrt(D), k.transpose(0, 2, 1))), v))
    return np.concatenate(heads, axis=-1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
