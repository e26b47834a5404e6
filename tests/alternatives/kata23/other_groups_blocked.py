"""Every query scores the keys of all groups; those of other groups are blocked."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, G, Tk, D = k.shape
    H = q.shape[1]
    group = np.arange(H) // (H // G)
    keep = group[:, None, None] == np.repeat(np.arange(G), Tk)  # (H, 1, G * Tk)
    scores = q @ k.reshape(B, 1, G * Tk, D).swapaxes(-1, -2) / np.sqrt(D)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v.reshape(B, 1, G * Tk, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
