"""Splits correctly, then swaps batch and heads in a reshape."""

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
    return x.reshape(B, T, H, D).transpose(2, 0, 1, 3).reshape(B, H, T, D)


def merge_heads(heads):
    B, H, T, _ = heads.shape
    return heads.reshape(H, B, T, -1).transpose(1, 2, 0, 3).reshape(B, T, -1)
