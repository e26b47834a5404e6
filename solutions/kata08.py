"""Kata 08: Answers from nowhere.

The fault
    Two helpers, each of them right, were combined: one returns a mask that is True where a key is
    blocked, the other takes a mask that is True where a key may be attended to. Nothing inverted
    the mask in between, so every query attended only to the padding of its sentence.

Why it hides
    A mask has the same shape and dtype in either convention. Rows sum to one, some weights are
    zero, and where half of the positions are padding, even the number of zeros is right.

Seen in
    rasbt/LLMs-from-scratch#1062: a triangle that marks blocked keys was passed to a torch function
        that expects allowed keys; tokens saw only what follows them. A test came with the fix.
    InseeFrLab/torchTextClassifiers#92: the same function was given an inverted mask.
    harvard-edge/cs249r_book#1785: one chapter made a mask of zeros and -inf, an earlier chapter
        expected ones and zeros, and every past token was blocked.

How to catch it
    assert (padded_attention(q, k, v, lengths)[1][0, :, lengths[0] :] == 0).all()

In PyTorch
    PyTorch has both conventions. In `key_padding_mask` and `attn_mask` of `nn.MultiheadAttention`,
    True blocks a key; in `attn_mask` of `scaled_dot_product_attention`, True allows it.

    >>> x, padding = torch.tensor([[2.0], [4.0], [90.0]]), torch.tensor([[False, False, True]])
    >>> F.scaled_dot_product_attention(0 * x[:1], x, x, attn_mask=padding)
    tensor([[90.]])
    >>> F.scaled_dot_product_attention(0 * x[:1], x, x, attn_mask=~padding)
    tensor([[3.]])
"""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    scores = q @ k.mT / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - np.max(scores, -1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, ~padding[:, None, :])
