"""Kata 17: The company it keeps.

Symptom
    Sentences are padded to the longest and run in one batch. A short one gets a different output
    than when it is run alone, and yet another when the batch is shuffled. Sentences of equal length
    come out right, however many share a batch.

Reproduce
    >>> words = np.arange(8.0).reshape(4, 2, 1)  # two sentences, two heads each, two words
    >>> keep = np.array([[True, True], [True, False]])
    >>> together, _ = attention(words, words, words, keep)
    >>> alone, _ = attention(words[2:], words[2:], words[2:], keep[1:])
    >>> np.allclose(together[2:], alone)
    True

Contract
    attention(q, k, v, keep) -> out, weights
        q        (B * H, Tq, D)   queries; head h of sentence b is at index b * H + h; all arrays
                                  except keep are float64
        k        (B * H, Tk, D)   keys, in the same order
        v        (B * H, Tk, Dv)  values, in the same order
        keep     (B, Tk)          bool: True where sentence b has a token, False where it has
                                  padding; applies to all heads of the sentence
        out      (B * H, Tq, Dv)  for each query, the mean of the values, weighted by `weights`
        weights  (B * H, Tq, Tk)  softmax of q . k / sqrt(D) over the tokens of the sentence,
                                  exactly zero for its padding
    Every sentence has at least one token; tokens and padding may be in any order. All scores,
    blocked ones included, lie between -1e6 and 1e6, as do |q| . |k| / sqrt(D) and all numbers
    attended to. Keys and values of padding are finite and do not affect the output. All sizes are
    at least one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads per sentence
    blocked = ~np.tile(keep, (rep, 1))[:, None, :]  # (B * H, 1, Tk)
    scores = np.matmul(q, k.mT) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
