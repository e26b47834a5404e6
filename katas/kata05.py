"""Kata 05: Fine until it was trained.

Symptom
    Once training has made its queries and keys large, a model repeats tokens that `keep` hides
    from it. Every small example gives the right result.

Reproduce
    >>> q, k = np.array([[2e5]]), np.array([[-2e4], [3e4]])
    >>> keep = np.array([[True, False]])
    >>> out, weights = attention(q, k, k, keep)
    >>> weights.tolist()
    [[1.0, 0.0]]

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may attend to the key
        out      (..., Tq, Dv)  for each query, the weighted mean of the values
        weights  (..., Tq, Tk)  for each query, softmax of q . k / sqrt(D) over the keys that it
                                may attend to, exactly zero for all others
    All arrays but `keep` are float64. Every query may attend to at least one key. All scores,
    blocked ones included, are finite, as is everything computed on the way to them. They may have
    any size: even the lowest float64 is a valid score. Values that some query may attend to lie
    between -1e6 and 1e6. Keys and values that a query may not attend to are finite and do not
    affect that query. q, k and v have the same leading axes, possibly none. All sizes are at least
    one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.mT / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -1e9)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
