"""Kata 02: An average above the maximum.

Symptom
    With a single query, the output is larger than every value it averages. Two queries in the
    same call change each other's outputs.

Reproduce
    >>> words = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, 4.0]])
    >>> out, weights = attention(np.zeros((1, 2)), words, words)
    >>> out.round(6).tolist()
    [[4.0, 4.0]]

Contract
    attention(q, k, v) -> out, weights
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        out      (..., Tq, Dv)  for each query, the weighted mean of the values
        weights  (..., Tq, Tk)  for each query, softmax of q . k / sqrt(D) over all keys
    All arrays are float64. All numbers lie between -1e6 and 1e6, as does |q| . |k| / sqrt(D). q, k
    and v have the same leading axes: none, one or several. All sizes are at least one. Inputs are
    read-only; results are new arrays.
"""

import numpy as np


def softmax(x, axis):
    """Weights along one axis; they sum to one."""
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores, axis=-2)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
