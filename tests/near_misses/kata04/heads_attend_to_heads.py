"""No swap at either end: the heads of one token attend to each other."""

import numpy as np


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, T, H, H)
    heads = weights @ v
    return heads.reshape(*x.shape[:2], -1) @ Wo
