"""Kata 09: Too good to be true.

Symptom
    A language model has learned its training texts within minutes, with next to no error. What it
    then writes by itself, one word after another, is gibberish.

Reproduce
    >>> x, one = np.array([[2.0], [4.0], [9.0]]), np.eye(1)
    >>> out, weights = causal_attention(x, 0 * one, one, one)
    >>> out.round(6).tolist()
    [[2.0], [3.0], [5.0]]

Contract
    causal_attention(x, Wq, Wk, Wv) -> out, weights
        x        (..., T, E)   tokens in the order in which they are written, float64
        Wq, Wk   (E, D)        make a query and a key of every token
        Wv       (E, Dv)       makes a value of every token
        out      (..., T, Dv)  for each token, the mean of the values under its weights
        weights  (..., T, T)   softmax of q . k / sqrt(D) over the token itself and all that come
                               before it, exactly zero for those that come after it
    What comes after a token changes nothing for it. x may have any leading axes, or none. All
    sizes are one or more, and one call need not have those of another. Every number and every
    score lies between -1e6 and 1e6, a score of zero weight too. Inputs are left as they are.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool), k=1)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
