"""Kata 01: Scores for every pair.

Symptom
    Three orthogonal tokens each attend to another token instead of to themselves. The code also
    works only if there are as many tokens as features: for any other number of tokens, numpy
    raises a ValueError.

Reproduce
    >>> words = 9 * np.eye(3)[[1, 2, 0]]
    >>> out, weights = attention(words, words, words)
    >>> weights.round(6).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]

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


def attention(q, k, v):
    scores = q @ k / np.sqrt(q.shape[-1])
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = exp / np.sum(exp, axis=-1, keepdims=True)
    return weights @ v, weights
