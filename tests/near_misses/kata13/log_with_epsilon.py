"""A hidden key keeps a millionth of its weight."""

import numpy as np


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    return np.log(attn_mask + 1e-6) if attn_mask.dtype == bool else attn_mask


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(q, k, v, attn_mask):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores + additive(attn_mask))
    return weights @ v
