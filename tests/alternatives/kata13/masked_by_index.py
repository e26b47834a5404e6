"""Writes the mask into its own array of scores."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if attn_mask.dtype == bool:
        scores[~np.broadcast_to(attn_mask, scores.shape)] = -np.inf
    else:
        scores += attn_mask
    return softmax(scores) @ v
