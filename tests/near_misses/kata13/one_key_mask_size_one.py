"""A mask with one head is turned round.

Shown by mask (2, 1, 1, 2) for q (2, 2, 3, 2) read from the second axis.
"""

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
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if attn_mask.ndim == 4 and attn_mask.shape[1] == 1:
        attn_mask = attn_mask.swapaxes(0, 1)
    scores = scores + additive(attn_mask)
    weights = softmax(scores)
    return weights @ v
