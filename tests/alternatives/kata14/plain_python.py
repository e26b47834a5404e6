"""Loops over every number, in plain Python."""

import math

import numpy as np


def bias_from_mask(keep):
    bias = [0.0 if number == 1.0 else -math.inf for number in keep.ravel().tolist()]
    return np.array(bias).reshape(keep.shape)


def attention(q, k, v, keep=None):
    *lead, Tq, D = q.shape
    mask = np.broadcast_to(1.0 if keep is None else keep, (*lead, Tq, k.shape[-2]))
    out, weights = np.zeros((*lead, Tq, v.shape[-1])), np.zeros(mask.shape)
    for item in np.ndindex(*lead):
        keys, columns = k[item].tolist(), v[item].T.tolist()
        for t, query in enumerate(q[item].tolist()):
            row = attend(query, keys, mask[item][t].tolist(), math.sqrt(D))
            weights[item][t] = row
            out[item][t] = [mean(row, column) for column in columns]
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
