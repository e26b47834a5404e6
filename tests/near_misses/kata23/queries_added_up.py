"""The queries of a group are summed, so all its heads give the same output."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G = k.shape[1]
    together = q.reshape(B, G, H // G, Tq, D).sum(axis=2)  # (B, G, Tq, D)
    scores = together @ k.swapaxes(-1, -2) / np.sqrt(D)
    return np.repeat(softmax(scores) @ v, H // G, axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
