"""Uses einsum, and divides by the sum of the exponentials last."""

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
    scores = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    scores = scores + additive(attn_mask)
    exp = np.exp(scores - np.amax(scores, axis=-1, keepdims=True))
    return np.einsum("...qk,...kv->...qv", exp, v) / exp.sum(axis=-1)[..., None]
