"""Kata 08: Answers from nowhere.

Symptom
    Sentences of different lengths are padded with zeros and batched. Their answers are zeros too,
    except for the longest sentence, which gets nan. Both helpers pass their own tests.

Reproduce
    >>> words = np.array([[[2.0], [4.0], [90.0]]])
    >>> out, weights = padded_attention(np.zeros((1, 1, 1)), words, words, np.array([2]))
    >>> out.round(6).tolist()
    [[[3.0]]]

Contract
    blocked_from_lengths(lengths, T) -> blocked
        lengths  (B,)         int (int64), the number of tokens in each sentence, from 1 to T
        T        int          the length of every sentence, padding included
        blocked  (B, T)       bool: True at padding, which comes after the tokens
    attention(q, k, v, keep) -> out, weights
        q        (B, Tq, D)   queries; q, k, v, out and weights are float64
        k        (B, Tk, D)   keys
        v        (B, Tk, Dv)  values
        keep     bool, or integers 0 and 1 of any width, broadcasts to (B, Tq, Tk): True, or 1,
                              where the query may attend to the key; every query may attend to at
                              least one key
        out      (B, Tq, Dv)  for each query, the mean of the values, weighted by `weights`
        weights  (B, Tq, Tk)  softmax of q . k / sqrt(D) over the keys that the query may attend
                              to, exactly zero for all others
    padded_attention(q, k, v, lengths) -> out, weights
        as above; every query may attend to the tokens of its own sentence, but not to padding
    Scores, blocked ones included, lie between -1e6 and 1e6, as do |q| . |k| / sqrt(D) and all
    numbers attended to. Keys and values that a query may not attend to are finite and do not affect
    that query's results. All sizes are at least one. Inputs are read-only; results are new arrays.
"""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.arange(T) >= lengths[:, None]  # (B, T)


def attention(q, k, v, keep):
    scores = q @ k.mT / np.sqrt(q.shape[-1])  # (B, Tq, Tk)
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - np.max(scores, -1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, padding[:, None, :])
