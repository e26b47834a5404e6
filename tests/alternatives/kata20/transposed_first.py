"""Moves columns before tokens, splits, then moves tokens back."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    turned = x.swapaxes(1, 2)  # (B, H * D, T)
    return turned.reshape(len(x), H, -1, x.shape[1]).swapaxes(2, 3)


def merge_heads(heads):
    """The inverse of `split_heads`."""
    B, H, T, D = heads.shape
    return heads.swapaxes(2, 3).reshape(B, H * D, T).swapaxes(1, 2)


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
