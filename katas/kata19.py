"""Kata 19: Two favourites.

Symptom
    The attention maps show that each head has two favourite tokens per sentence: every query
    attends most to one or the other of them. Making the heads wider did not help.

Reproduce
    >>> x = np.array([[[40.0, -10.0], [-10.0, 40.0], [-30.0, -30.0]]])
    >>> W = np.eye(2)[:, None]  # (E, H, D), with one head
    >>> out, weights = multi_head_attention(x, W, W, W, W.swapaxes(0, 1))
    >>> weights.argmax(axis=-1).tolist()
    [[[0, 1, 2]]]

Contract
    multi_head_attention(x, Wq, Wk, Wv, Wo) -> out, weights
        x        (B, T, E)     tokens, float64
        Wq, Wk   (E, H, D)     query and key projections, one per head
        Wv       (E, H, Dv)    value projections, one per head
        Wo       (H, Dv, E)    output projections, one per head
        out      (B, T, E)     for each token, the sum over heads of the head's output times Wo[h]
        weights  (B, H, T, T)  for each head, one row per query: the softmax of q . k / sqrt(D)
                               over all tokens of the batch item, the token itself included
    The output of a head for a token is the mean of the head's values under that row of weights. All
    inputs lie between -1e6 and 1e6, as do |x| times |W| for Wq, Wk and Wv, and |q| . |k| / sqrt(D).
    All arrays are float64. All sizes are at least one. Inputs are read-only; results are new
    arrays.
"""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("bte,ehd->bthd", x, W) for W in (Wq, Wk, Wv))
    scores = np.einsum("bqhd,bkhe->bhqk", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = np.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, T, H, Dv)
    return np.einsum("bqhd,hde->bqe", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
