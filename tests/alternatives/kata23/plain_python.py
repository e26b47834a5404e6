"""Loops over every number, in plain Python."""

import math

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, _ = q.shape
    rep = H // k.shape[1]
    out = np.zeros((B, H, Tq, v.shape[-1]))
    for b, h in np.ndindex(B, H):
        keys, values = k[b, h // rep].tolist(), v[b, h // rep].tolist()
        out[b, h] = [attend(query, keys, values) for query in q[b, h].tolist()]
    return out


def attend(query, keys, values):
    """The output of one query."""
    root = math.sqrt(len(query))
    scores = [sum(a * b for a, b in zip(query, key, strict=True)) / root for key in keys]
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    weights = [e / total for e in exp]
    columns = zip(*values, strict=True)
    return [sum(w * x for w, x in zip(weights, column, strict=True)) for column in columns]
