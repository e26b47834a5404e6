"""Kata 01: Scores for every pair.

Symptom
    Three words with nothing in common: each reads another one and not itself. And only just so
    many words are taken: unless there are as many as a word has numbers, numpy raises a ValueError.

Reproduce
    >>> words = 9 * np.eye(3)[[1, 2, 0]]
    >>> out, weights = attention(words, words, words)
    >>> weights.round(6).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

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


def attention(q, k, v):
    scores = q @ k / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
