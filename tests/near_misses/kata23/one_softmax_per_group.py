"""One softmax over all heads of a group: their weights sum to one together."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G, Tk = k.shape[1:3]
    scores = q.reshape(B, G, H // G, Tq, D) @ k[:, :, None].swapaxes(-1, -2) / np.sqrt(D)
    row = scores.swapaxes(2, 3).reshape(B, G, Tq, -1)
    weights = softmax(row).reshape(B, G, Tq, H // G, Tk).swapaxes(2, 3)
    return (weights @ v[:, :, None]).reshape(B, H, Tq, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
