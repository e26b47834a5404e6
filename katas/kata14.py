"""Kata 14: All or nothing.

Symptom
    A single sentence works without a mask. In a batch, where masks separate words from padding,
    every output is nan, even for the longest sentence, whose mask hides nothing.

Reproduce
    >>> words = np.array([[0.0], [0.0], [9.0]])
    >>> keep = np.array([1.0, 1.0, 0.0])
    >>> out, weights = attention(words, words, words, keep)
    >>> weights[0].tolist()
    [0.5, 0.5, 0.0]

Contract
    bias_from_mask(keep) -> bias
        keep     a mask of any shape with at least one axis, float64: 1.0 where a key may be
                 attended to, 0.0 where it may not, and no other number
        bias     same shape, float64: 0 where a key may be attended to, -inf where it may not
    attention(q, k, v, keep=None) -> out, weights
        q        (..., Tq, D)   queries; all arrays are float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     a mask as above that broadcasts to (..., Tq, Tk); None allows every key
        out      (..., Tq, Dv)  for each query, the mean of the values, weighted by `weights`
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may attend
                                to, exactly zero for all others
    In `attention` every query may attend to at least one key. All scores, blocked ones included,
    lie between -1e6 and 1e6, as do |q| . |k| / sqrt(D) and all numbers attended to. Keys and values
    that a query may not attend to are finite and do not affect that query. The leading axes of q, k
    and v are the same: none, one or several. All sizes are at least one. Inputs are read-only;
    results are new arrays.
"""

import numpy as np


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return (1.0 - keep) * -np.inf


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
