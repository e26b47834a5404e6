"""Loops over every number, in plain Python."""

import math

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    D = len(Wo) // H
    into, back = Wqkv.T.tolist(), Wo.T.tolist()
    out = []
    for item in x.tolist():
        packed = [product(token, into) for token in item]
        heads = [[] for _ in item]
        for h in range(0, 3 * H * D, 3 * D):
            keys = [row[h + D : h + 2 * D] for row in packed]
            values = [row[h + 2 * D : h + 3 * D] for row in packed]
            for head, row in zip(heads, packed, strict=True):
                head += attend(row[h : h + D], keys, values)
        out.append([product(head, back) for head in heads])
    return np.array(out)


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
