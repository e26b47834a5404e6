"""Loops over every number, in plain Python."""

import math

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    D = Wq.shape[1] // H
    columns = [(W.T.tolist()) for W in (Wq, Wk, Wv)]
    out = []
    for item in x.tolist():
        q, k, v = ([[dot(token, column) for column in W] for token in item] for W in columns)
        heads = [[] for _ in item]
        for h in range(H):
            keys, values = ([row[h * D : (h + 1) * D] for row in rows] for rows in (k, v))
            for t, row in enumerate(q):
                heads[t] += attend(row[h * D : (h + 1) * D], keys, values)
        out.append([[dot(row, column) for column in Wo.T.tolist()] for row in heads])
    return np.array(out)


def dot(one, other):
    """The dot product of two lists."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def attend(query, keys, values):
    """The output of one query."""
    root = math.sqrt(len(query))
    scores = [dot(query, key) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    return [dot(exp, column) / sum(exp) for column in zip(*values, strict=True)]
