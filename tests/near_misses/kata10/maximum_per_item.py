"""One maximum per batch item: a loud query still spoils the quiet ones."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores.max(axis=(-2, -1)[-scores.ndim :], keepdims=True)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
