"""Kata 23: Sharing keys.

Symptom
    A checkpoint with two key heads and eight query heads loads without errors and generates
    fluent nonsense. Checkpoints with one key head per query head work, and so do checkpoints with
    a single key head.

Reproduce
    >>> q, k = np.zeros((1, 4, 1, 1)), np.zeros((1, 2, 3, 1))
    >>> v = np.array([[[[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]]]])
    >>> out = grouped_query_attention(q, k, v)
    >>> out[0, 1].round(6).tolist()
    [[2.0]]

Contract
    grouped_query_attention(q, k, v) -> out
        q    (B, H, Tq, D)   queries; all arrays are float64
        k    (B, G, Tk, D)   keys; H is a multiple of G
        v    (B, G, Tk, Dv)  values
        out  (B, H, Tq, Dv)  for each query, the weighted mean of the values
    Query head h attends to head h // (H // G) of the keys and values; the other key and value heads
    do not affect it. Its weights are the softmax of q . k / sqrt(D) over the Tk keys and sum to
    one. All inputs lie between -1e6 and 1e6, as does |q| . |k| / sqrt(D). All sizes are at least
    one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]  # query heads per key head
    k, v = spread(k, rep), spread(v, rep)
    scores = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def spread(heads, rep):
    """Keys or values with one head per query head."""
    return np.concatenate([heads] * rep, axis=1)  # (B, H, Tk, ...)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
