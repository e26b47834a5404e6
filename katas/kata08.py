"""Kata 08: Answers from nowhere.

Symptom
    Sentences of several lengths share a batch, filled up with zeros. The answers are zeros too,
    except for the longest sentence, which gets nan. Both helpers have passed their tests.

Reproduce
    >>> words = np.array([[[2.0], [4.0], [90.0]]])
    >>> out, weights = padded_attention(np.zeros((1, 1, 1)), words, words, np.array([2]))
    >>> out.round(6).tolist()
    [[[3.0]]]

Contract
    blocked_from_lengths(lengths, T) -> blocked
        lengths  (B,)         int, the number of words of each sentence, from 1 to T
        T        int          the number of places that each of them has in the batch
        blocked  (B, T)       bool: True at the padding, which fills the places behind the words
    attention(q, k, v, keep) -> out, weights
        q        (B, Tq, D)   queries, float64
        k        (B, Tk, D)   keys
        v        (B, Tk, Dv)  values
        keep     bool, or integers 0 and 1, broadcasts to (B, Tq, Tk): True, or 1, where the query
                              may read the key; every query may read one or more
        out      (B, Tq, Dv)  for each query, the mean of the values under its weights
        weights  (B, Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may read,
                              exactly zero for all others
    padded_attention(q, k, v, lengths) -> out, weights
        as above, where every query may read the words of its own sentence and no padding
    Every score lies between -1e6 and 1e6, a blocked one too, and so does every number that is
    read. What stands in k and v where a query may not read is finite and changes nothing for that
    query. All sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, padding[:, None, :])
