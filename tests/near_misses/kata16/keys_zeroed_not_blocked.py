"""Unfilled keys become zero but still get weight."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None, :, None]
    keys, values = np.where(keep, keys, 0.0), np.where(keep, values, 0.0)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    return (softmax(scores)[..., None, :] @ values)[..., 0, :]
