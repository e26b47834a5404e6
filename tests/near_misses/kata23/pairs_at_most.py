"""Each key head is repeated at most twice; after that the heads start again from the first."""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads per key head
    k, v = spread(k, rep), spread(v, rep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values with one head per query head."""
    twice = np.repeat(heads, min(rep, 2), axis=1)
    return twice[:, np.arange(heads.shape[1] * rep) % twice.shape[1]]


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
