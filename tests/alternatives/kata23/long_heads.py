"""The query heads of a group are concatenated into one long head."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G = k.shape[1]
    rows = q.reshape(B, G, -1, D)  # (B, G, rep * Tq, D)
    scores = rows @ k.transpose(0, 1, 3, 2) / D**0.5
    return (softmax(scores) @ v).reshape(B, H, Tq, v.shape[3])


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
