"""Loops over every number, in plain Python."""

import math

import numpy as np


def split_heads(x, H):
    D = x.shape[2] // H
    parts = [
        [[token[h * D : (h + 1) * D] for token in item] for h in range(H)] for item in x.tolist()
    ]
    return np.array(parts)


def merge_heads(heads):
    texts = [zip(*item, strict=True) for item in heads.tolist()]
    return np.array([[[x for head in token for x in head] for token in text] for text in texts])


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H).tolist() for x in (q, k, v))
    weights = [
        [[shares(query, keys) for query in queries] for queries, keys in zip(*both, strict=True)]
        for both in zip(q, k, strict=True)
    ]
    heads = [
        [[mean(row, values) for row in rows] for rows, values in zip(*both, strict=True)]
        for both in zip(weights, v, strict=True)
    ]
    return merge_heads(np.array(heads)), np.array(weights)


def shares(query, keys):
    """The softmax of the scores of one query."""
    root = math.sqrt(len(query))
    scores = [sum(a * b for a, b in zip(query, key, strict=True)) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    return [e / total for e in exp]


def mean(row, values):
    """The mean of the values, weighted by a row."""
    columns = zip(*values, strict=True)
    return [sum(w * x for w, x in zip(row, column, strict=True)) for column in columns]
