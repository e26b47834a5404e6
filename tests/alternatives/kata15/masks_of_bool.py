"""Combines the two masks as bool."""

import numpy as np


def masked_attention(q, k, v, keep):
    T = keep.shape[-1]
    keep = keep[:, None, None, :] & np.tri(T, dtype=bool)  # (B, 1, T, T)
    scores = np.where(keep, q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5, np.float32(-np.inf))
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, np.float32(0)))
    weights = exp / np.maximum(exp.sum(axis=-1, keepdims=True), np.float32(1))
    return weights @ v, weights
