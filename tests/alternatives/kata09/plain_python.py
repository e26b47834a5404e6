"""Loops over every number, in plain Python."""

import math

import numpy as np


def causal_attention(x, Wq, Wk, Wv):
    *lead, T, _ = x.shape
    out, weights = np.zeros((*lead, T, Wv.shape[1])), np.zeros((*lead, T, T))
    columns = [W.T.tolist() for W in (Wq, Wk, Wv)]
    for item in np.ndindex(*lead):
        text = x[item].tolist()
        q, k, v = ([[dot(token, column) for column in W] for token in text] for W in columns)
        for t, query in enumerate(q):
            row = shares([dot(query, key) / math.sqrt(len(query)) for key in k[: t + 1]])
            weights[item][t, : t + 1] = row
            out[item][t] = [dot(row, column) for column in zip(*v[: t + 1], strict=True)]
    return out, weights


def dot(one, other):
    """The dot product of two lists."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def shares(scores):
    """The softmax of a list."""
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]
