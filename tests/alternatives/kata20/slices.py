"""Slices and stacks to split, concatenates to merge."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    D = x.shape[-1] // H
    return np.stack([x[..., h * D : (h + 1) * D] for h in range(H)], axis=1)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    return np.concatenate([heads[:, h] for h in range(heads.shape[1])], axis=-1)


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
