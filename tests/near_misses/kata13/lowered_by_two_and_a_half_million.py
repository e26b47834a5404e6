"""-inf becomes a number that is too high if score and mask of every allowed key are low."""

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
    bias = np.maximum(additive(attn_mask), -2.5e6)
    weights = softmax(scores + bias)
    return weights @ v
