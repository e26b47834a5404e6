"""Loops over every number, in plain Python."""

import math
import random

import numpy as np


def init_projections(E, H, seed):
    rng, D = random.Random(seed), E // H
    numbers = np.array([rng.gauss(0.0, 1.0) for _ in range(4 * E * E)]) / math.sqrt(E)
    *into, back = numbers.reshape(4, E, E)
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *(W.reshape(H, E, D) for W in into), back, *biases, np.zeros(E)


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    projections = [
        (W.swapaxes(1, 2).tolist(), b.tolist()) for W, b in ((Wq, bq), (Wk, bk), (Wv, bv))
    ]
    back, bias = Wo.T.tolist(), bo.tolist()
    out, weights = [], []
    for item in x.tolist():
        maps, heads = [], [[] for _ in item]
        for h in range(len(Wq)):
            q, k, v = (affine(item, W[h], b[h]) for W, b in projections)
            maps.append([softmax(query, k) for query in q])
            columns = list(zip(*v, strict=True))
            for head, row in zip(heads, maps[-1], strict=True):
                head += [dot(row, column) for column in columns]
        out.append(affine(heads, back, bias))
        weights.append(maps)
    return np.array(out), np.array(weights)


def affine(rows, columns, bias):
    """The product of two matrices, the second given as its columns, plus a row."""
    pairs = list(zip(columns, bias, strict=True))
    return [[dot(row, column) + b for column, b in pairs] for row in rows]


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
