"""A real token whose score is exactly zero is blocked, unless all scores are."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one, or to zero if all scores are -inf."""
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    zero = (scores == 0) & (scores != 0).any(axis=-1, keepdims=True)
    scores = np.where(keep[:, None, :] & ~zero, scores, -np.inf)
    return softmax(scores) @ v
