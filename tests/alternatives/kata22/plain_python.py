"""Loops over every number, in plain Python."""

import math

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    D = len(Wo) // H
    into_q, into_k, into_v, back = (W.T.tolist() for W in (Wq, Wk, Wv, Wo))
    out = np.zeros(x.shape)
    for b in range(len(x)):
        allowed = [token for token, kept in zip(memory[b].tolist(), keep[b], strict=True) if kept]
        source = x[b].tolist() + allowed
        k, v = ([product(token, W) for token in source] for W in (into_k, into_v))
        heads = [[] for _ in x[b]]
        for h in range(0, H * D, D):
            keys, values = ([row[h : h + D] for row in rows] for rows in (k, v))
            for head, token in zip(heads, x[b].tolist(), strict=True):
                head += attend(product(token, into_q)[h : h + D], keys, values)
        out[b] = [product(head, back) for head in heads]
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
