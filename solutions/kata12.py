"""Kata 12: The same sentence, padded.

The fault
    A mask of shape (B, T) used as an index picks along the first two axes of the scores, and the
    second one counts queries. Padding was kept from asking, not from being read: its rows were
    blocked from end to end, and every word still read all of the padding.

Why it hides
    In self-attention there are as many queries as keys, so that every shape fits. Zeros stand
    just where the padding is, which looks like a mask that works, and without padding all is well.

Seen in
    hyunwoongko/transformer#40: the padding mask lay along the queries; a blocked score of -10000
        kept every row finite, where minus infinity would have shown nan at once.
    hyunwoongko/transformer#1: merged years before, to mask rows besides columns; nothing was wrong
        with the columns alone.
    bentrevett/pytorch-seq2seq#119: a reader missed zeros in the rows of the padding; the mask was
        right, since it is only keys that it has to block.

How to catch it
    assert np.allclose(self_attention(padded, keep, *W)[:, :n], self_attention(alone, all_true, *W))
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
    scores = np.where(keep[:, None, :], scores, -np.inf)
    return softmax(scores) @ v
