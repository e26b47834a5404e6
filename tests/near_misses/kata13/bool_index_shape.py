"""Scores[~mask] for a mask without all axes: q (3, 3, 2), mask (3, 3) hides whole rows of items."""

import numpy as np


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    if attn_mask.dtype != bool:
        return attn_mask
    bias = np.zeros(attn_mask.shape)
    bias[~attn_mask] = -np.inf
    return bias


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if (
        attn_mask.dtype == bool
        and attn_mask.shape == scores.shape[: attn_mask.ndim]
        and attn_mask.ndim > 1
    ):
        scores = scores.copy()
        scores[~attn_mask] = -np.inf
    else:
        scores = scores + additive(attn_mask)
    weights = softmax(scores)
    return weights @ v
