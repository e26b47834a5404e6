"""Kata 14: All or nothing.

The fault
    The mask was inverted and multiplied by minus infinity. One times that is right for a blocked
    key; but zero times infinity is not zero, it is nan. So the allowed keys got nan, and a single
    nan is enough to spoil the whole row.

Why it hides
    Without a mask nothing is multiplied, and a blocked key does get its -inf. With any finite
    constant in place of infinity the same line is right, so it looks like familiar code.

Seen in
    cerebroai/reformers#3: one minus the mask, times minus infinity, made the output nan; the
        reporter's workaround was -1e9.
    onnx/onnx#8068: the reference implementation of Attention did this with boolean masks, but only
        on its causal path; the other path wrote the infinities in, and was right.

How to catch it
    assert bias_from_mask(np.array([1.0, 0.0])).tolist() == [0, -np.inf]

In PyTorch
    Zero times infinity is nan there too. `masked_fill` writes the infinities instead of computing
    them.

    >>> keep = torch.tensor([1.0, 0.0])
    >>> (1 - keep) * -torch.inf
    tensor([nan, -inf])
    >>> torch.zeros(2).masked_fill(keep == 0, -torch.inf)
    tensor([0., -inf])
"""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
