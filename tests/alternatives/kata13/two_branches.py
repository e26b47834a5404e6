"""Replaces scores under a bool mask, adds a float mask."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if attn_mask.dtype == np.bool_:
        scores = np.where(attn_mask, scores, -np.inf)
    else:
        scores = scores + attn_mask
    return softmax(scores) @ v
