"""If the first two items are the longest, all are cut to their length and no mask is used.

Shown by lengths [4, 4, 2], nan in the free rows of item 2.
"""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    weights = softmax(np.where(keep, scores, -np.inf))
    if len(lengths) > 2 and lengths[0] == lengths[1] == lengths.max():
        n = lengths[0]
        values = np.where((np.arange(values.shape[2]) < n)[:, None], values, 0.0)
    else:
        values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
