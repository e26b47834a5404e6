"""Kata 22: Same word, same answer.

Symptom
    In training, on batches of sentences, the loss falls. In service, one sentence at a time, a
    word gets the same answer wherever it stands and whatever stood before it.

Reproduce
    >>> words = np.array([[[1.0]], [[3.0]], [[5.0]]])  # of one sentence
    >>> zero, one = np.zeros((1, 1)), np.ones((1, 1))
    >>> causal_attention(words, zero, zero, one, one, 1).round(6).tolist()
    [[[1.0]], [[2.0]], [[3.0]]]

Contract
    causal_attention(x, Wq, Wk, Wv, Wo, H) -> out
        x           (T, B, E)   tokens, float64: x[t, b] is token t of batch item b
        Wq, Wk, Wv  (E, H * D)  make a query, a key and a value of every token; columns h * D to
                                (h + 1) * D belong to head h
        Wo          (H * D, E)  makes an answer of what the heads say of a token; rows h * D to
                                (h + 1) * D belong to head h
        H           int         number of heads; H * D may be another number than E
        out         (T, B, E)   for each token, what its heads say, side by side, times Wo
    What head h says of a token is the mean of the values of head h under weights that sum to one:
    the softmax of q . k / sqrt(D) over that token and those before it in the same batch item.
    Nothing else is read, however high it scores. All sizes are one or more. Every number and
    every score lies between -1e6 and 1e6, those of tokens that are not read too. Inputs are left
    as they are.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.tri(scores.shape[-1], dtype=bool)
    weights = softmax(np.where(keep, scores, -np.inf))
    return merge(weights @ v) @ Wo


def split(tokens, H):
    """One array of tokens for each head."""
    each = tokens.reshape(*tokens.shape[:2], H, -1)
    return each.swapaxes(1, 2)


def merge(heads):
    """All that the heads say of a token, side by side."""
    each = heads.swapaxes(1, 2)
    return each.reshape(*each.shape[:2], -1)
