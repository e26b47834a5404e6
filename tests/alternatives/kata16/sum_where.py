"""Sums over the filled rows only."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    top = scores.max(axis=-1, keepdims=True, where=keep, initial=-np.inf)
    exp = np.exp(scores - top, where=keep, out=np.zeros_like(scores))
    total = (exp[..., None] * values).sum(axis=-2, where=keep[..., None])
    return total / exp.sum(axis=-1, keepdims=True)
