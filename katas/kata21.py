"""Kata 21: Same word, same answer.

Symptom
    In training, on batches of sentences, the loss goes down. In production, with one sentence at a
    time, a word always gets the same output, whatever its position and the words before it.

Reproduce
    >>> words = np.array([[[1.0]], [[3.0]], [[5.0]]])  # of one sentence
    >>> zero, one = np.zeros((1, 1)), np.ones((1, 1))
    >>> causal_attention(words, zero, zero, one, one, 1).round(6).tolist()
    [[[1.0]], [[2.0]], [[3.0]]]

Contract
    causal_attention(x, Wq, Wk, Wv, Wo, H) -> out
        x           (T, B, E)   tokens, float64: x[t, b] is token t of batch item b
        Wq, Wk, Wv  (E, H * D)  query, key and value projections; columns h * D to (h + 1) * D
                                belong to head h
        Wo          (H * D, E)  output projection, applied to the concatenated heads; rows h * D
                                to (h + 1) * D belong to head h
        H           int         number of heads; H * D may differ from E
        out         (T, B, E)   for each token, its concatenated heads times Wo
    The output of head h for a token is the weighted mean of the values of head h. The weights are
    the softmax of q . k / sqrt(D) over that token and the earlier ones of the same batch item, and
    sum to one. No other token affects the output, however high it scores. All inputs lie between
    -1e6 and 1e6, as do |x| @ |W| for Wq, Wk and Wv, and |q| . |k| / sqrt(D), including those of
    tokens that are not attended to. All arrays are float64. All sizes are at least one. Inputs are
    read-only; results are new arrays.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    later = ~np.tri(scores.shape[-1], dtype=bool)
    weights = softmax(np.where(later, -np.inf, scores))
    return merge(weights @ v) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    each = tokens.reshape(*tokens.shape[:2], H, -1)
    return each.swapaxes(1, 2)


def merge(heads):
    """Concatenate the heads of each token."""
    each = heads.swapaxes(1, 2)
    return each.reshape(*each.shape[:2], -1)
