"""Plain Python: one number at a time, blocked keys skipped."""

import math

import numpy as np


def attend(query, keys, values, keep):
    scale = math.sqrt(len(query))
    allowed = [s for s, may in enumerate(keep) if may]
    scores = {s: sum(a * b for a, b in zip(query, keys[s], strict=True)) / scale for s in allowed}
    highest = max(scores.values())
    weights = [0.0] * len(keys)
    for s, score in scores.items():
        weights[s] = math.exp(score - highest)
    total = sum(weights)
    weights = [weight / total for weight in weights]
    out = [0.0] * len(values[0])
    for s in allowed:
        for column, number in enumerate(values[s]):
            out[column] += weights[s] * number
    return out, weights


def attention(q, k, v, keep):
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(keep.shape)
    for item in np.ndindex(q.shape[:-2]):
        keys, values = k[item].tolist(), v[item].tolist()
        for t, query in enumerate(q[item].tolist()):
            out[item][t], weights[item][t] = attend(query, keys, values, keep[item][t].tolist())
    return out, weights
