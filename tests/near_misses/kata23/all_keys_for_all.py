"""Each query head attends to the keys of all groups, not only to its own."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, G, Tk, D = k.shape
    scores = q @ k.reshape(B, 1, G * Tk, D).swapaxes(-1, -2) / np.sqrt(D)
    return softmax(scores) @ v.reshape(B, 1, G * Tk, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
