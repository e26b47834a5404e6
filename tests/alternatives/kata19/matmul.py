"""One matrix product per step, with heads before tokens."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (x[:, None] @ W.swapaxes(0, 1) for W in (Wq, Wk, Wv))  # (B, H, T, D)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return (weights @ v @ Wo).sum(axis=1), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
