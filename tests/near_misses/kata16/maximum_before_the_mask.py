"""Takes the maximum over all rows, so nan in an unfilled key spreads everywhere."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    exp = np.where(keep, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0.0)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
