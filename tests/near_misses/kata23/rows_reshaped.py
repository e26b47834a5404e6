"""A group's queries form one long head, and its rows are split by token instead of by head."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G = k.shape[1]
    scores = q.reshape(B, G, -1, D) @ k.swapaxes(-1, -2) / np.sqrt(D)
    rows = softmax(scores) @ v  # (B, G, rep * Tq, Dv)
    return rows.reshape(B, G, Tq, H // G, -1).swapaxes(2, 3).reshape(B, H, Tq, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
