"""Kata 11: Nothing to read.

Symptom
    One document in ten thousand has no words. The loss of every batch that such a document falls
    into is nan.

Reproduce
    >>> words = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> keep = np.array([[True, False], [False, False]])
    >>> out, weights = attention(words, words, words, keep)
    >>> out.tolist(), weights.tolist()
    ([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]])

Contract
    attention(q, k, v, keep) -> out, weights
        q        (..., Tq, D)   queries, float64
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        keep     bool, broadcasts to (..., Tq, Tk): True where the query may read the key
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights
        weights  (..., Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may read,
                                exactly zero for all others
    A query that may read no key has an answer of zeros, and weights of zeros. All scores lie
    between -1e6 and 1e6, blocked ones too, and so does every number that is read, unless it came
    in broken. That has to show: where a query may read a key, nan or +inf as their score makes all
    of its out nan, and the sum of its weights too; nan or an infinity in the value makes its out
    nan or infinite in that column. What stands in k and v where a query may not read is finite and
    changes nothing for it, and a query that may read no key is itself finite. The leading axes are
    the same in q, k and v, and may be none; all other sizes are one or more. Inputs are left as
    they are.
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    exp = numerators(scores, keep)
    total = exp.sum(axis=-1, keepdims=True)  # (..., Tq, 1)
    return exp @ v / total, exp / total


def numerators(scores, keep):
    """exp of each score that counts, below the highest of its row; zero for all others."""
    highest = np.where(keep, scores, -np.inf).max(axis=-1, keepdims=True)  # (..., Tq, 1)
    return np.where(keep, np.exp(scores - highest), 0.0)
