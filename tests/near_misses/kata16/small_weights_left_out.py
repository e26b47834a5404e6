"""Drops filled rows with weights below 1e-12: hides nan and loses values near 1e6."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, -np.inf))
    values = np.where(weights[..., None] < 1e-12, 0.0, values)
    return (weights[..., None, :] @ values)[..., 0, :]
