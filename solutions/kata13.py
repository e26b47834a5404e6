"""Kata 13: Two kinds of mask.

The fault
    np.zeros_like copies the dtype of the mask along with its shape. Minus infinity, written into a
    bool array, is stored as True, and True is added as one: a key that should be hidden gained a
    little instead of losing everything.

Why it hides
    numpy neither raises nor warns. Float masks never take this path, and an all-True mask gives the
    right result. Otherwise scores shift by one, which looks like a less well trained model.

Seen in
    open-mmlab/mmdetection#12351: a bool mask was filled with -9e15 and stayed bool; where it should
        have hidden a key, it added one.
    open-mmlab/mmdetection#11803: the same line, found by its effect: removing the mask, or adding
        one everywhere, did not change the results.
    huggingface/diffusers#14342: a bool mask was passed as the bias of a kernel that adds whatever
        it is given.

How to catch it
    assert (attention(q, k, v, keep) == attention(q, k, v, np.where(keep, 0.0, -np.inf))).all()

In PyTorch
    `torch.zeros_like` copies the dtype too, `masked_fill` stores -inf in a bool tensor as True, and
    a bool tensor can be added to a float one: no line of this raises an error.

    >>> scores, keep = torch.zeros(2), torch.tensor([True, False])
    >>> scores + torch.zeros_like(keep).masked_fill(~keep, -torch.inf)
    tensor([0., 1.])
    >>> scores + torch.zeros_like(scores).masked_fill(~keep, -torch.inf)
    tensor([0., -inf])
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
    weights = softmax(scores + additive(attn_mask))
    return weights @ v
