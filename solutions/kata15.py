"""Kata 15: All or nothing.

The fault
    The mask was turned around and multiplied by minus infinity. One times that is what a blocked
    key needs; but zero times infinity is not zero, it is nan. So the keys that may be read got
    nan, and one of them is enough for its whole row.

Why it hides
    Without a mask nothing is multiplied, and a blocked key does get its -inf. With any finite
    constant in place of infinity the same line is right, so it looks like one seen many times.

Seen in
    cerebroai/reformers#3: one minus the mask, times minus infinity, made every output nan; the
        reporter's way out was -1e9.
    onnx/onnx#8068: the reference implementation of Attention did so with boolean masks, but only
        on its causal path; the other path wrote the infinities in, and was right.

How to catch it
    assert bias_from_mask(np.array([1.0, 0.0])).tolist() == [0, -np.inf]
"""

import numpy as np


def bias_from_mask(keep):
    """What a mask adds to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
