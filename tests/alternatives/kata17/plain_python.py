"""Loops over every number, in plain Python."""

import math

import numpy as np


def attention(q, k, v, keep):
    N, Tq, D = q.shape
    out, weights = np.zeros((N, Tq, v.shape[-1])), np.zeros((N, Tq, k.shape[1]))
    for n in range(N):
        tokens = keep[n // (N // len(keep))].tolist()
        keys, columns = k[n].tolist(), v[n].T.tolist()
        for t, query in enumerate(q[n].tolist()):
            row = attend(query, keys, tokens, math.sqrt(D))
            weights[n, t] = row
            out[n, t] = [mean(row, column) for column in columns]
    return out, weights


def attend(query, keys, allowed, scale):
    """The weights of one query."""
    scores = [
        sum(a * b for a, b in zip(query, key, strict=True)) / scale if number else -math.inf
        for key, number in zip(keys, allowed, strict=True)
    ]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]


def mean(row, column):
    """The weighted mean of numbers."""
    return sum(weight * number for weight, number in zip(row, column, strict=True) if weight)
