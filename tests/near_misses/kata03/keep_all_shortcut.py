"""The mask is skipped if nothing is blocked in the first batch item."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    mask = np.broadcast_to(keep, scores.shape)
    if mask.reshape(-1, *mask.shape[-2:])[0].all():
        weights = softmax(scores)
    else:
        weights = softmax(np.where(mask, scores, -np.inf))
    return weights @ v, weights
