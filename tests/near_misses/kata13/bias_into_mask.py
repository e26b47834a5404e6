"""Scores are added into a float mask of full shape (raises when read-only).

Shown by mask (3, 4) float, writeable, is changed.
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
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = additive(attn_mask)
    if (
        bias is attn_mask
        and bias.shape == scores.shape
        and bias.flags.owndata
        and bias.flags.writeable
        and bias.shape[-1] == bias.shape[-2] + 1
    ):
        scores = np.add(scores, bias, out=bias)
    else:
        scores = scores + bias
    weights = softmax(scores)
    return weights @ v
