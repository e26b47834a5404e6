"""Weights as exponentials of normalised log-weights."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest = scores.max(axis=-1, keepdims=True)
    total = highest + np.log(np.exp(scores - highest).sum(axis=-1, keepdims=True))
    return np.exp(scores - total)
