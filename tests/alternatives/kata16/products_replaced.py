"""Replaces the products with the weights, not the values."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]
    scores = (keys * q[:, :, None]).sum(axis=-1) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, -np.inf))
    return np.where(keep[..., None], weights[..., None] * values, 0.0).sum(axis=-2)
