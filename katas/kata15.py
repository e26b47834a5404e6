"""Kata 15: All or nothing.

Symptom
    A sentence alone is read well, without a mask. In a batch, where masks tell words from padding,
    every answer is nan, even for the longest sentence, whose mask hides nothing.

Reproduce
    >>> words = np.array([[0.0], [0.0], [9.0]])
    >>> keep = np.array([1.0, 1.0, 0.0])
    >>> out, weights = attention(words, words, words, keep)
    >>> weights[0].tolist()
    [0.5, 0.5, 0.0]

Contract
    bias_from_mask(keep) -> bias
        keep     a mask of any shape, float64: 1.0 where a key may be read, 0.0 where it may not,
                 and no other number
        bias     the same shape, float64: 0 where a key may be read, -inf where it may not
    attention(q, k, v, keep=None) -> out, weights
        q        (..., Tq, D)   queries, float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     a mask as above, broadcasts to (..., Tq, Tk); without one every key may be read
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may read,
                                exactly zero for all others
    In `attention` every query may read at least one key. Every score lies between -1e6 and 1e6, a
    blocked one too, and so does every number that is read. What stands in k and v where a query
    may not read is finite and changes nothing for that query. The leading axes are the same in q,
    k and v: none, one or several. All sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def bias_from_mask(keep):
    """What a mask adds to the scores."""
    return (1.0 - keep) * -np.inf


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
