"""Kata 16: A cache half full.

The fault
    A row behind the length has a weight of exactly zero, and zero times nan, or times infinity,
    is nan. What the mask keeps out of the softmax still went into the product with the values.
    It has to be replaced before anything is multiplied by it.

Why it hides
    Memory fresh from the system is all zeros, and what older sentences left behind is finite:
    both are gone once multiplied by zero. The keys are safe, for their scores are replaced.

Seen in
    Dao-AILab/flash-attention#1745: FlashAttention 2 took value caches with anything behind their
        lengths; in version 3 a nan there came out in the answers.
    Dao-AILab/flash-attention#2374: versions 3 and 4 block the keys beyond the used length, load
        the values all the same, and multiply them by zero.
    pytorch/pytorch#101967: in place of a masked number, 1e10 changed no result and nan did.

How to catch it
    values[b, :, lengths[b] :] = np.nan; assert np.isfinite(decode(q, keys, values, lengths)).all()
"""

import numpy as np


def filled(lengths, capacity):
    """True at the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    weights = softmax(np.where(keep, scores, -np.inf))
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
