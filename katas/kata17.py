"""Kata 17: In other company.

Symptom
    Sentences are padded to the longest and read in one batch. A short one gets another answer than
    when it is read alone, and yet another when the batch is shuffled. Sentences of one length are
    read rightly, however many share a batch.

Reproduce
    >>> words = np.arange(8.0).reshape(4, 2, 1)  # two sentences, two heads each, two words
    >>> keep = np.array([[True, True], [True, False]])
    >>> together, _ = attention(words, words, words, keep)
    >>> alone, _ = attention(words[2:], words[2:], words[2:], keep[1:])
    >>> np.allclose(together[2:], alone)
    True

Contract
    attention(q, k, v, keep) -> out, weights
        q        (B * H, Tq, D)   queries, float64; head h of sentence b stands at b * H + h
        k        (B * H, Tk, D)   keys, in the same order
        v        (B * H, Tk, Dv)  values, in the same order
        keep     (B, Tk)          bool: True where sentence b has a word, which every head of it
                                  may read
        out      (B * H, Tq, Dv)  for each query, the mean of the values under its weights
        weights  (B * H, Tq, Tk)  softmax of q . k / sqrt(D) over the words that the sentence has,
                                  exactly zero for all others
    Every sentence has at least one word; the others may stand anywhere. Every score lies between
    -1e6 and 1e6, a blocked one too, and so does every number that is read. What stands in v where
    a sentence has no word is finite and changes nothing. All sizes are one or more. Inputs are
    left as they are.
"""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads of a sentence
    blocked = ~np.tile(keep, (rep, 1))[:, None, :]  # (B * H, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
