"""Right for one row, silent where the array is square, and no number at all elsewhere."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores.max(axis=-1)
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
