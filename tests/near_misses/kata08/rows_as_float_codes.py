"""A mask goes through one number for each row, bit by bit: a float64 has 53 bits."""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.broadcast_to(keep != 0, scores.shape)
    keys = np.arange(scores.shape[-1])
    if len(keys) < 63:
        codes = (keep @ 2.0**keys).astype(np.int64)
        keep = codes[..., None] >> keys & 1 == 1
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    return attention(q, k, v, ~blocked_from_lengths(lengths, k.shape[1])[:, None])
