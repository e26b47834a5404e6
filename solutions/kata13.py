"""Kata 13: Two kinds of mask.

The fault
    np.zeros_like takes over the dtype of the mask along with its shape. Minus infinity, written
    into an array of bool, is stored as True, and True is added as one: a key that was to be hidden
    gained a little in place of losing everything.

Why it hides
    numpy neither raises nor warns. Float masks never pass here, and a mask of True only comes out
    right. Otherwise scores move by one, which looks like a model that was trained less well.

Seen in
    open-mmlab/mmdetection#12351: a bool mask was filled with -9e15 and stayed bool; where it was
        to hide, it added one.
    open-mmlab/mmdetection#11803: the same line found from its effect: with the mask taken out, or
        one added everywhere, the results did not move.
    huggingface/diffusers#14342: a mask of True and False reached the slot for a bias of a kernel
        that adds whatever is in it.

How to catch it
    assert (attention(q, k, v, keep) == attention(q, k, v, np.where(keep, 0.0, -np.inf))).all()
"""

import numpy as np


def additive(attn_mask):
    """The mask as numbers to add to the scores."""
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
    weights = softmax(scores + additive(attn_mask))
    return weights @ v
