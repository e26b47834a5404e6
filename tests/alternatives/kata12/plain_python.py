"""Loops over every number, in plain Python."""

import math

import numpy as np


def self_attention(x, keep, Wq, Wk, Wv):
    B, T, _ = x.shape
    out = np.zeros((B, T, Wv.shape[1]))
    columns = [W.T.tolist() for W in (Wq, Wk, Wv)]
    for b in range(B):
        into_q, into_k, into_v = columns
        real = x[b][keep[b]].tolist()
        k = [[dot(token, column) for column in into_k] for token in real]
        v = [[dot(token, column) for token in real] for column in into_v]
        for t, token in enumerate(x[b].tolist() if real else []):
            row = shares([dot(token, column) for column in into_q], k)
            out[b, t] = [dot(row, column) for column in v]
    return out


def dot(one, other):
    """The dot product of two lists."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def shares(query, keys):
    """The softmax of the scores of one query."""
    root = math.sqrt(len(query))
    scores = [dot(query, key) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]
