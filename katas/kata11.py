"""Kata 11: Nothing to read.

Symptom
    One document in ten thousand is empty. Every batch that contains such a document has a loss of
    nan.

Reproduce
    >>> words = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> keep = np.array([[True, False], [False, False]])
    >>> out, weights = attention(words, words, words, keep)
    >>> out.tolist(), weights.tolist()
    ([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]])

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may attend to the key
        out      (..., Tq, Dv)  for each query, the mean of the values, weighted by `weights`
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may attend
                                to, exactly zero for all others
    All arrays but `keep` are float64. A query that may attend to no key gets zeros in out and in
    weights. All numbers attended to lie between -1e6 and 1e6, as does |q| . |k| / sqrt(D), blocked
    keys included, except that inputs may contain nan and infinity. These must show in the results:
    where a query may attend to a key, a score of nan or +inf makes all of the query's out nan, and
    the sum of its weights too; nan or infinity in the value makes that column of the query's out
    nan or infinite. No score is -inf. Keys and values that a query may not attend to are finite and
    do not affect that query's results. A query that may attend to no key is itself finite. q, k and
    v have the same leading axes, or none. All sizes are at least one. Inputs are read-only; results
    are new arrays.
"""

import numpy as np


def attention(q, k, v, keep):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp(score - row maximum) where `keep` is True, zero elsewhere."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
