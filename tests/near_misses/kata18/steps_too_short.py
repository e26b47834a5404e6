"""Head h starts D columns after head h - 1 instead of 3 * D, so heads overlap."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    D = Wo.shape[0] // H
    packed, heads = x @ Wqkv, []
    for h in range(H):
        q, k, v = (packed[..., (h + i) * D : (h + i + 1) * D] for i in range(3))
        heads.append(softmax(q @ k.swapaxes(-1, -2) / np.sqrt(D)) @ v)
    return np.concatenate(heads, axis=-1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
