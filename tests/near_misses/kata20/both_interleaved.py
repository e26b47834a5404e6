"""Gives head h every H-th column starting at h, both ways."""

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
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 3, 1).reshape(B, T, -1)
