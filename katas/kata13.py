"""Kata 13: Two kinds of mask.

Symptom
    A float mask of 0 and -inf hides the keys it should. The same mask as True and False hides
    nothing: the outputs change only a little, as if the hidden keys counted for more.

Reproduce
    >>> q, k = np.zeros((1, 2)), np.zeros((3, 2))
    >>> v = np.array([[1.0], [3.0], [50.0]])
    >>> keep = np.array([True, True, False])
    >>> scaled_dot_product_attention(q, k, v, keep).round(6).tolist()
    [[2.0]]

Contract
    scaled_dot_product_attention(q, k, v, attn_mask) -> out
        q          (..., Tq, D)   queries; q, k, v and out are float64
        k          (..., Tk, D)   keys
        v          (..., Tk, Dv)  values
        attn_mask  has at least one axis and broadcasts to (..., Tq, Tk)
                   bool:    True where the query may attend to the key
                   float64: added to the scores; -inf where the query may not attend to the key
        out        (..., Tq, Dv)  for each query, the mean of the values it may attend to, weighted
                                  by the softmax of q . k / sqrt(D) plus the float mask, if any
    Only the dtype decides which kind a mask is, not the numbers in it. Every query may attend to at
    least one key. All scores, blocked ones included, lie between -1e6 and 1e6, as do
    |q| . |k| / sqrt(D), all finite numbers in a mask, and all values attended to. Keys and values
    that a query may not attend to are finite and do not affect that query. The leading axes of q, k
    and v are the same, possibly none. All sizes are at least one. Inputs are read-only; results are
    new arrays.
"""

import numpy as np


def additive(attn_mask):
    """The mask as a bias to add to the scores."""
    if attn_mask.dtype != bool:
        return attn_mask
    bias = np.zeros_like(attn_mask)
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
