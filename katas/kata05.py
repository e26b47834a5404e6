"""Kata 05: Almost minus infinity.

Symptom
    One trained model, whose queries and keys have grown large, repeats words that `keep` hides
    from it. Every small example comes out right.

Reproduce
    >>> q, k = np.array([[2e5]]), np.array([[-2e4], [3e4]])
    >>> keep = np.array([[True, False]])
    >>> out, weights = attention(q, k, k, keep)
    >>> weights.tolist()
    [[1.0, 0.0]]

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries, float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may read the key
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may read,
                                exactly zero for all others
    Every query may read at least one key. Every score is finite, with all that leads up to it, a
    blocked one too, and of any size: the lowest number that float64 holds is a score like any
    other. Values that are read lie between -1e6 and 1e6. What stands in k and v where a query may
    not read is finite and changes nothing for that query. All sizes are one or more. Inputs are
    left as they are.
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -1e9)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
