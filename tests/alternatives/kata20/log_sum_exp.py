"""Computes the weights from their logarithms, with logaddexp."""

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
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
