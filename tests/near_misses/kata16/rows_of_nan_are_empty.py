"""Rows that hold nothing but NaN are taken for rows that are not filled."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    nothing = np.isnan(values).all(axis=-1)[..., None] & (values.shape[-1] > 1)
    values = np.where(nothing, 0.0, values)
    weights = softmax(np.where(keep, scores, -np.inf))
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
