"""Every sentence attends to the positions where all have a token, if there are any."""

import numpy as np


def attention(q, k, v, keep):
    blocked = ~(keep.all(axis=0) | ~keep.all(axis=0).any())
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
