"""Fills the second mask with the first."""

import numpy as np

BLOCKED = np.float32(-1e30)  # finite: the softmax of a row full of -inf would be nan


def causal_mask(T):
    """Added to scores: BLOCKED where the key comes after the query."""
    return np.triu(np.full((T, T), BLOCKED), k=1)


def padding_mask(keep):
    """Added to scores: BLOCKED where the key is padding."""
    return np.where(keep, np.float32(0), BLOCKED)[:, None, None, :]  # (B, 1, 1, T)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def masked_attention(q, k, v, keep):
    T, D = q.shape[-2:]
    bias = np.where(causal_mask(T) < 0, BLOCKED, padding_mask(keep))
    readable = (bias != BLOCKED).any(axis=-1, keepdims=True)
    scores = D**-0.5 * (q @ k.swapaxes(-1, -2)) + bias  # (B, H, T, T)
    weights = np.where(readable, softmax(scores), 0.0)
    return weights @ v, weights
