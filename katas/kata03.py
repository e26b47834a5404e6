"""Kata 03: Next to a longer sentence.

Symptom
    A sentence gets one output on its own and a different one in a batch with a longer sentence,
    although `keep` says which tokens belong to it.

Reproduce
    >>> words = np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    >>> keep = np.array([[True, True, False]])
    >>> out, weights = attention(words, words, words, keep)
    >>> weights.sum(axis=-1).round(6).tolist()
    [1.0, 1.0, 1.0]

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may attend to the key
        out      (..., Tq, Dv)  for each query, the weighted mean of the values
        weights  (..., Tq, Tk)  for each query, softmax of q . k / sqrt(D) over the keys that it
                                may attend to, exactly zero for all others
    All arrays but `keep` are float64. Every query may attend to at least one key.
    |q| . |k| / sqrt(D), blocked keys included, lies between -1e6 and 1e6, as do q and all keys and
    values that some query may attend to. Keys and values that a query may not attend to are finite
    and do not affect it. q, k and v have the same leading axes, possibly none. All sizes are at
    least one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / np.sum(exp, axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores) * keep
    return weights @ v, weights
