"""Loops over every number, in plain Python."""

import math

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    H = len(Wo)
    out, weights = [], []
    for item in x.tolist():
        rows, maps = [[0.0] * len(token) for token in item], []
        for h in range(H):
            q, k, v = (product(item, W[:, h].T.tolist()) for W in (Wq, Wk, Wv))
            maps.append([softmax(query, k) for query in q])
            heads = product(maps[-1], list(zip(*v, strict=True)))
            each = product(heads, Wo[h].T.tolist())
            rows = [
                [a + b for a, b in zip(*pair, strict=True)] for pair in zip(rows, each, strict=True)
            ]
        out.append(rows)
        weights.append(maps)
    return np.array(out), np.array(weights)


def product(rows, columns):
    """The product of two matrices, the second given as its columns."""
    return [[dot(row, column) for column in columns] for row in rows]


def dot(one, other):
    """The dot product of two rows."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def softmax(query, keys):
    """The weights of one query."""
    root = math.sqrt(len(query))
    scores = [dot(query, key) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]
