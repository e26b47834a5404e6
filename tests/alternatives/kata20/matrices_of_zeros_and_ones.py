"""Selects heads by multiplying with parts of the identity."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    eye = np.eye(x.shape[-1]).reshape(H, -1, x.shape[-1])  # (H, D, H * D)
    return x[:, None] @ eye.swapaxes(1, 2)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    _, H, _, D = heads.shape
    return (heads @ np.eye(H * D).reshape(H, D, H * D)).sum(axis=1)


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
