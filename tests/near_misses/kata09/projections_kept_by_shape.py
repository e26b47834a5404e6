"""The projections of the first call are kept for all calls with the same shapes."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


KEPT = {}


def causal_attention(x, Wq, Wk, Wv):
    Wq, Wk, Wv = KEPT.setdefault((x.shape, Wq.shape, Wv.shape), (Wq, Wk, Wv))
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool))
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
