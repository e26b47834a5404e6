"""Kata 13: Two kinds of mask.

Symptom
    A mask of zeros and -inf hides what it should. The same mask, written as True and False, hides
    nothing: the answers only move a little, as if what it hides counted for more.

Reproduce
    >>> q, k = np.zeros((1, 2)), np.zeros((3, 2))
    >>> v = np.array([[1.0], [3.0], [50.0]])
    >>> keep = np.array([True, True, False])
    >>> scaled_dot_product_attention(q, k, v, keep).round(6).tolist()
    [[2.0]]

Contract
    scaled_dot_product_attention(q, k, v, attn_mask) -> out
        q          (..., Tq, D)   queries, float64
        k          (..., Tk, D)   keys
        v          (..., Tk, Dv)  values
        attn_mask  has one axis or more, and broadcasts to (..., Tq, Tk)
                   bool:    True where the query may read the key
                   float64: added to the score; -inf where the query may not read the key
        out        (..., Tq, Dv)  for each query, the mean of the values that it may read, weighted
                                  by the softmax of q . k / sqrt(D) and what the mask adds
    It is the dtype that says which kind a mask is, not the numbers in it. Every query may read at
    least one key. Every score, blocked or not, every finite number in a mask, and every value that
    is read lies between -1e6 and 1e6. What stands in k and v where a query may not read is finite
    and changes nothing for that query. The leading axes are the same in q, k and v, and may be
    none; all sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def additive(attn_mask):
    """The mask as numbers to add to the scores."""
    if attn_mask.dtype != bool:
        return attn_mask
    bias = np.zeros_like(attn_mask)
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
