"""Kata 19: Sharing keys.

Symptom
    A checkpoint with two key heads for eight query heads loads without complaint and writes
    fluent nonsense. Checkpoints with a key head for every query head are read well, and so are
    those with a single one for all.

Reproduce
    >>> q, k = np.zeros((1, 4, 1, 1)), np.zeros((1, 2, 3, 1))
    >>> v = np.array([[[[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]]]])
    >>> out = grouped_query_attention(q, k, v)
    >>> out[0, 1].round(6).tolist()
    [[2.0]]

Contract
    grouped_query_attention(q, k, v) -> out
        q    (B, H, Tq, D)   queries, float64
        k    (B, G, Tk, D)   keys; H is a multiple of G
        v    (B, G, Tk, Dv)  values
        out  (B, H, Tq, Dv)  for each query, the mean of the values under its weights
    Query head h reads head h // (H // G) of the keys and of the values, and what the other heads
    of either hold changes nothing for it. Its weights sum to one over the Tk keys: the softmax of
    q . k / sqrt(D). All sizes are one or more. Every number and every score lies between -1e6 and
    1e6. Inputs are left as they are.
"""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads for each key head
    k, v = spread(k, rep), spread(v, rep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values, with a head for every query head."""
    return np.tile(heads, (1, rep, 1, 1))  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
