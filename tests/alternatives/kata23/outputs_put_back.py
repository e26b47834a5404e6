"""Query heads are reordered to match tiled keys, and the outputs are put back in order."""

import numpy as np


def grouped_query_attention(q, k, v):
    G, rep = k.shape[1], q.shape[1] // k.shape[1]
    order = np.arange(G * rep).reshape(G, rep).T.ravel()
    k, v = np.tile(k, (1, rep, 1, 1)), np.tile(v, (1, rep, 1, 1))
    scores = q[:, order] @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return (softmax(scores) @ v)[:, np.argsort(order)]


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
