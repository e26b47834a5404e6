"""Plain masked softmax, then zeros for sentences without tokens."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores = np.where(keep[:, None, :], scores, -np.inf)
    weights = softmax(scores)
    return np.where(keep.any(axis=-1)[:, None, None], weights, 0.0) @ v
