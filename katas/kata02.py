"""Kata 02: Shares of what?

Symptom
    A single question gets an answer larger than every value that it is made of. Two questions
    asked at once change each other's answers.

Reproduce
    >>> words = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, 4.0]])
    >>> out, weights = attention(np.zeros((1, 2)), words, words)
    >>> out.round(6).tolist()
    [[4.0, 4.0]]

Contract
    attention(q, k, v) -> out, weights
        q        (..., Tq, D)   queries, float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  for each query, softmax of q . k / sqrt(D) over all keys
    The leading axes of q, k and v are the same: none, one or several. All sizes are any numbers
    from one up. Every number and every score lies between -1e6 and 1e6. Inputs are left as they
    are.
"""

import numpy as np


def softmax(x, axis):
    """Shares along one axis, together one."""
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores, axis=-2)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
