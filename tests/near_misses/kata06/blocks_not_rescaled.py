"""Keys in blocks of 16: when the maximum grows, earlier numerators are not rescaled."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    starts = np.arange(0, scores.shape[-1], 16)
    highest = np.maximum.accumulate(np.maximum.reduceat(scores, starts, axis=-1), axis=-1)
    exp = np.exp(scores - np.repeat(highest, 16, axis=-1)[..., : scores.shape[-1]])
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    scale = q.shape[-1] ** -0.5  # a Python float keeps float32 arrays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
