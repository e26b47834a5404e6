"""Kata 12: The same sentence, padded.

Symptom
    A sentence padded to the length of a longer one gets different answers than it gets alone, and
    they change with the contents of the padding. Yet the mask seems to work: the answers at the
    padding are zeros.

Reproduce
    >>> x = np.array([[[1.0], [3.0], [50.0]]])
    >>> keep = np.array([[True, True, False]])
    >>> zero, one = np.zeros((1, 1)), np.ones((1, 1))
    >>> self_attention(x, keep, zero, zero, one)[0, :, 0].round(6).tolist()
    [2.0, 2.0, 2.0]

Contract
    self_attention(x, keep, Wq, Wk, Wv) -> out
        x       (B, T, E)   tokens; each batch item is one sentence; all but keep are float64
        keep    (B, T)      bool: True for a real token, False for padding, which may be anywhere
        Wq, Wk  (E, D)      query and key projections
        Wv      (E, Dv)     value projection
        out     (B, T, Dv)  for each token, padding included, the mean of the values of its
                            sentence's real tokens, weighted by the softmax of q . k / sqrt(D)
                            over those tokens
    Numbers in the padding and their squares are finite, as is everything computed from them. A
    padding token still has a query, but no token may attend to it. A sentence without real tokens
    gets zeros. |q| . |k| / sqrt(D), padding included, the projections, and |x| @ |W| of real tokens
    lie between -1e6 and 1e6. All sizes are at least one. Inputs are read-only; results are new
    arrays.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one, or to zero if all scores are -inf."""
    highest = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores[~keep] = -np.inf
    return softmax(scores) @ v
