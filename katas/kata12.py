"""Kata 12: The same sentence, padded.

Symptom
    Padded to the length of a longer one, a sentence gets other answers than it got alone, and
    they change with what stands in the padding. Yet the mask is at work: the answers at the
    padding come out as zeros.

Reproduce
    >>> x = np.array([[[1.0], [3.0], [50.0]]])
    >>> keep = np.array([[True, True, False]])
    >>> zero, one = np.zeros((1, 1)), np.ones((1, 1))
    >>> self_attention(x, keep, zero, zero, one)[0, :, 0].round(6).tolist()
    [2.0, 2.0, 2.0]

Contract
    self_attention(x, keep, Wq, Wk, Wv) -> out
        x       (B, T, E)   tokens, float64
        keep    (B, T)      bool: True for a word, False for padding, which may stand anywhere
        Wq, Wk  (E, D)      make a query and a key of every token
        Wv      (E, Dv)     makes a value of every token
        out     (B, T, Dv)  for each token, a word or not, the mean of the values of its
                            sentence's words, weighted by the softmax of q . k / sqrt(D) over them
    A sentence is an item of the batch. What stands in its padding is finite, asks as any token
    does, and is read by none. Where a sentence has no word at all, its answers are zeros. Every
    score lies between -1e6 and 1e6, padding's too, and so does every value that is read. All
    sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; a row sums to one, or to zero where all of it is -inf."""
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores[~keep] = -np.inf
    return softmax(scores) @ v
