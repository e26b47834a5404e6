"""Loops over every number, in plain Python."""

import math

import numpy as np


def masked_attention(q, k, v, keep):
    B, H, T, D = q.shape
    out, weights = np.zeros(v.shape, np.float32), np.zeros((B, H, T, T), np.float32)
    for b, h in np.ndindex(B, H):
        keys, columns = k[b, h].tolist(), v[b, h].T.tolist()
        tokens = keep[b].tolist()
        for t, query in enumerate(q[b, h].tolist()):
            if any(tokens[: t + 1]):
                row = attend(query, keys[: t + 1], tokens[: t + 1], math.sqrt(D))
                weights[b, h, t, : t + 1] = row
                out[b, h, t] = [mean(row, column[: t + 1]) for column in columns]
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
