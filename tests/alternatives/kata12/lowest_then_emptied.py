"""Fills with a large negative number, then zeroes the weights of padding."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores = np.where(keep[:, None, :], scores, -1e9)
    return softmax(scores) * keep[:, None, :] @ v
