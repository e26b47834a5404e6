"""Kata 03: The mask that came late.

Symptom
    A sentence gets one answer when it is read alone, and another when it shares a batch with a
    longer one, although `keep` says which words are its own.

Reproduce
    >>> words = np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    >>> keep = np.array([[True, True, False]])
    >>> out, weights = attention(words, words, words, keep)
    >>> weights.sum(axis=-1).round(6).tolist()
    [1.0, 1.0, 1.0]

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries, float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may read the key
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may read,
                                exactly zero for all others
    Every query may read at least one key. Every score lies between -1e6 and 1e6, a blocked one
    too, and so does every number that is read. What stands in k and v where a query may not read
    is finite and changes nothing for that query. The leading axes are the same in q, k and v, and
    may be none; all other sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    return weights @ v, weights
