"""Loops over every number, in plain Python."""

import math

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    D = Wq.shape[1] // H
    columns = [W.T.tolist() for W in (Wq, Wk, Wv, Wo)]
    out = np.zeros(x.shape)
    for b in range(x.shape[1]):
        q, k, v = ([product(token, W) for token in x[:, b].tolist()] for W in columns[:3])
        for t, row in enumerate(q):
            heads = []
            for h in range(0, H * D, D):
                keys, values = ([each[h : h + D] for each in rows[: t + 1]] for rows in (k, v))
                heads += attend(row[h : h + D], keys, values)
            out[t, b] = product(heads, columns[3])
    return out


def product(row, columns):
    """A row times a matrix, which is given as its columns."""
    return [dot(row, column) for column in columns]


def dot(one, other):
    """The dot product of two lists."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def attend(query, keys, values):
    """The output of one query."""
    root = math.sqrt(len(query))
    scores = [dot(query, key) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [dot(exp, column) / total for column in zip(*values, strict=True)]
