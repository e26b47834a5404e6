"""Loops over every number, in plain Python."""

import math

import numpy as np


def decode(q, keys, values, lengths):
    B, H, D = q.shape
    out = np.zeros((B, H, values.shape[-1]))
    for b, length in enumerate(lengths.tolist()):
        for h in range(H):
            rows, columns = keys[b, h, :length].tolist(), values[b, h, :length].T.tolist()
            row = weights(q[b, h].tolist(), rows, math.sqrt(D))
            out[b, h] = [mean(row, column) for column in columns]
    return out


def weights(query, rows, scale):
    """The weights of the filled rows; NaN in one makes all of them NaN."""
    scores = [sum(a * b for a, b in zip(query, row, strict=True)) / scale for row in rows]
    if any(math.isnan(score) for score in scores):
        return [math.nan] * len(rows)
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]


def mean(row, column):
    """The weighted mean of numbers."""
    return sum(weight * number for weight, number in zip(row, column, strict=True))
