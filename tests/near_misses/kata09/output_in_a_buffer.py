"""The output is written into a buffer that the next call with the same shape overwrites."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


BUFFERS = {}


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool))
    weights = softmax(np.where(keep, scores, -np.inf))
    out = BUFFERS.setdefault(v.shape, np.empty(v.shape))
    np.matmul(weights, v, out=out)
    return out, weights
