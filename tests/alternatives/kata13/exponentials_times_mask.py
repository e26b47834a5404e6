"""Takes the maximum over the allowed keys only."""

import numpy as np


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    keep, bias = attn_mask, 0.0
    if attn_mask.dtype != bool:
        keep, bias = attn_mask > -np.inf, np.maximum(attn_mask, -1e7)
    keep = np.broadcast_to(keep, scores.shape)
    scores = scores + bias
    highest = scores.max(axis=-1, keepdims=True, where=keep, initial=-1e8)
    exp = np.exp(np.minimum(scores - highest, 0.0)) * keep
    return exp / exp.sum(axis=-1, keepdims=True) @ v
