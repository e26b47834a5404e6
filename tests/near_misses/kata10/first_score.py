"""Right where no score lies 700 above the first one of its row."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores[..., :1]
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
