"""The columns of every head as a table of indices."""

import numpy as np


def split_heads(x, H):
    """An axis for the heads, in front of the tokens."""
    own = np.arange(x.shape[-1]).reshape(H, -1)  # (H, D)
    return x[..., own].swapaxes(1, 2)


def merge_heads(heads):
    """Undoes `split_heads`."""
    B, H, T, D = heads.shape
    x = np.empty((B, T, H * D))
    for h in range(H):
        x[..., h * D + np.arange(D)] = heads[:, h]
    return x


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
