"""Key by key, with a running maximum and a running sum."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    highest, total = scores[..., :1], np.ones_like(scores[..., :1])
    for s in range(1, scores.shape[-1]):
        higher = np.maximum(highest, scores[..., s : s + 1])
        total = total * np.exp(highest - higher) + np.exp(scores[..., s : s + 1] - higher)
        highest = higher
    return np.exp(scores - highest) / total
