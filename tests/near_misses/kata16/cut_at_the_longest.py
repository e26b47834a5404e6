"""Cuts at the longest length, which leaves unfilled rows in shorter items."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    longest = lengths.max()
    keys, values = keys[:, :, :longest], values[:, :, :longest]
    keep = filled(lengths, longest)[:, None]
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, -np.inf))
    return (weights[..., None, :] @ values)[..., 0, :]
