"""Puts batch and heads on one axis to compute the scores."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, E = x.shape
    D = E // H
    return x.reshape(B, T, H, D).transpose(0, 2, 1, 3)  # (B, H, T, D)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, -1)


def attention(q, k, v, H):
    B, Tq, E = q.shape
    q, k, v = (split_heads(x, H).reshape(B * H, x.shape[1], -1) for x in (q, k, v))
    weights = softmax(q @ k.swapaxes(1, 2) / np.sqrt(E // H))
    out, weights = (x.reshape(B, H, Tq, -1) for x in (weights @ v, weights))
    return merge_heads(out), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
