"""Lists the columns of every head in an index table."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    own = np.arange(x.shape[-1]).reshape(H, -1)  # (H, D)
    return x[..., own].swapaxes(1, 2)


def merge_heads(heads):
    """The inverse of `split_heads`."""
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
