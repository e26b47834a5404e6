"""A float mask can lower scores but not raise them."""

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
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if attn_mask.dtype == bool:
        return softmax(scores + additive(attn_mask)) @ v
    weights = softmax(scores) * np.exp(np.minimum(attn_mask, 0.0))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
