"""Heads after the 16th return zeros."""

import numpy as np


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    heads[:, 16:] = 0.0
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1) @ Wo
