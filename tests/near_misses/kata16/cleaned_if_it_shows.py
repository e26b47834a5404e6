"""If anything past a length is not finite, cleans all values, including the caller's own nan."""

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
    if not np.isfinite(values[np.broadcast_to(~keep, values.shape[:-1])]).all():
        values = np.nan_to_num(values)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, -np.inf))
    return (weights[..., None, :] @ values)[..., 0, :]
