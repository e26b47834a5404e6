"""Kata 16: A cache half full.

The fault
    A row past the length has a weight of exactly zero, and zero times nan, or zero times infinity,
    is nan. The mask kept these rows out of the softmax, but not out of the product with the values.
    They have to be replaced before anything is multiplied by them.

Why it hides
    Memory fresh from the system is all zeros, and leftovers of older sentences are finite: both
    vanish when multiplied by zero. The keys are safe, because their scores are replaced.

Seen in
    Dao-AILab/flash-attention#1745: FlashAttention 2 accepted value caches with anything past their
        lengths; in version 3 a nan there reached the outputs.
    Dao-AILab/flash-attention#2374: versions 3 and 4 block the keys past the used length, but still
        load the values and multiply them by zero.
    pytorch/pytorch#101967: in place of a masked number, 1e10 changed no result, but nan did.

How to catch it
    values[b, :, lengths[b] :] = np.nan; assert np.isfinite(decode(q, keys, values, lengths)).all()

In PyTorch
    A cache from `torch.empty` holds whatever was in memory. A mask does not help:
    `scaled_dot_product_attention` multiplies the blocked values by zero as well.

    >>> q, k, v = torch.zeros(1, 1), torch.zeros(2, 1), torch.tensor([[4.0], [torch.nan]])
    >>> keep = torch.tensor([[True, False]])
    >>> F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
    tensor([[nan]])
    >>> F.scaled_dot_product_attention(q, k, v.masked_fill(~keep.T, 0), attn_mask=keep)
    tensor([[4.]])
"""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    scores = np.where(keep, scores, -np.inf)
    weights = softmax(scores)
    values = np.where(keep[..., None], values, 0.0)
    return (weights[..., None, :] @ values)[..., 0, :]
