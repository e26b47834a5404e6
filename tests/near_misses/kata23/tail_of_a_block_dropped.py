"""Keys are taken in blocks of 8, and an incomplete block after the first is dropped."""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads per key head
    k, v = spread(k, rep), spread(v, rep)
    whole = max(k.shape[2] // 8 * 8, min(k.shape[2], 8))
    k, v = k[:, :, :whole], v[:, :, :whole]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values with one head per query head."""
    return np.repeat(heads, rep, axis=1)  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
