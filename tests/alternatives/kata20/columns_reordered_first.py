"""Interleaves the columns first, then takes every H-th one."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, E = x.shape
    D = E // H
    x = x.reshape(B, T, H, D).swapaxes(2, 3).reshape(B, T, E)
    return x.reshape(B, T, D, H).transpose(0, 3, 1, 2)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    B, _, T, _ = heads.shape
    x = heads.transpose(0, 2, 3, 1)  # (B, T, D, H)
    return x.swapaxes(2, 3).reshape(B, T, -1)


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
