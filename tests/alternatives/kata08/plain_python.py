"""Loops over every number, in plain Python."""

import math

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.array([[t >= length for t in range(T)] for length in lengths.tolist()])


def attention(q, k, v, keep):
    B, Tq, D = q.shape
    mask = np.broadcast_to(keep, (B, Tq, k.shape[1]))
    out, weights = np.zeros((B, Tq, v.shape[-1])), np.zeros(mask.shape)
    for b in range(B):
        keys, columns = k[b].tolist(), v[b].T.tolist()
        for t, query in enumerate(q[b].tolist()):
            row = attend(query, keys, mask[b, t].tolist(), math.sqrt(D))
            weights[b, t] = row
            out[b, t] = [mean(row, column) for column in columns]
    return out, weights


def padded_attention(q, k, v, lengths):
    return attention(q, k, v, ~blocked_from_lengths(lengths, k.shape[1])[:, None])


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
