"""Kata 09: Too good to be true.

Symptom
    A language model learns its training texts within minutes, with almost no error. The text that
    it then generates, one token after another, is gibberish.

Reproduce
    >>> x, one = np.array([[2.0], [4.0], [9.0]]), np.eye(1)
    >>> out, weights = causal_attention(x, 0 * one, one, one)
    >>> out.round(6).tolist()
    [[2.0], [3.0], [5.0]]

Contract
    causal_attention(x, Wq, Wk, Wv) -> out, weights
        x        (..., T, E)   tokens in text order; all arrays are float64
        Wq, Wk   (E, D)        query and key projections
        Wv       (E, Dv)       value projection
        out      (..., T, Dv)  for each token, the mean of the values, weighted by `weights`
        weights  (..., T, T)   softmax of q . k / sqrt(D) over the token itself and all tokens
                               before it, exactly zero for all tokens after it
    Later tokens do not affect a token's results. x may have any number of leading axes, or none.
    All sizes are at least one, and may differ from call to call. All inputs lie between -1e6 and
    1e6, as do |x| @ |W| for Wq, Wk and Wv, and |q| . |k| / sqrt(D), later tokens included. Inputs
    are read-only; results are new arrays.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = np.matmul(q, k.mT) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool), k=1)
    masked = np.where(keep, scores, -np.inf)
    weights = softmax(masked)
    return weights @ v, weights
