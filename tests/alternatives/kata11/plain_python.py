"""Plain Python: one number at a time, in lists."""

import math
from itertools import product
from operator import mul

import numpy as np


def attend(query, keys, values, keep):
    scores = [sum(map(mul, query, key)) / math.sqrt(len(query)) for key in keys]
    highest = max((s for s, allowed in zip(scores, keep, strict=True) if allowed), default=0.0)
    exp = [
        math.exp(s - highest) if allowed else 0.0 for s, allowed in zip(scores, keep, strict=True)
    ]
    total = sum(exp) if any(keep) else 1.0
    weights = [part / total for part in exp]
    return [sum(map(mul, weights, column)) for column in zip(*values, strict=True)], weights


def attention(q, k, v, keep):
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros((*q.shape[:-1], k.shape[-2]))
    for item in product(*map(range, q.shape[:-2])):
        keys, values = k[item].tolist(), v[item].tolist()
        for t, query in enumerate(q[item].tolist()):
            out[item][t], weights[item][t] = attend(query, keys, values, keep[item][t].tolist())
    return out, weights
