"""Plain Python: one number at a time, in lists."""

import math
from itertools import product
from operator import mul

import numpy as np


def row(scores):
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = math.fsum(exp)
    return [part / total for part in exp]


def softmax(scores):
    weights = np.empty(scores.shape)
    for item in product(*map(range, scores.shape[:-1])):
        weights[item] = row(scores[item].tolist())
    return weights


def attention(q, k, v):
    out = np.empty((*q.shape[:-1], v.shape[-1]))
    for *lead, t in product(*map(range, q.shape[:-1])):
        item = tuple(lead)
        query = q[item][t].tolist()
        scale = math.sqrt(len(query))
        weights = row([math.fsum(map(mul, query, key)) / scale for key in k[item].tolist()])
        out[item][t] = [math.fsum(map(mul, weights, column)) for column in v[item].T.tolist()]
    return out
