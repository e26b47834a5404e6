"""Loops over rows, queries and keys."""

import numpy as np


def attention(q, k, v, keep):
    N, Tq, D = q.shape
    out, weights = np.zeros((N, Tq, v.shape[-1])), np.zeros((N, Tq, k.shape[1]))
    for n in range(N):
        read = np.flatnonzero(keep[n * len(keep) // N])
        for t in range(Tq):
            scores = [sum(q[n, t] * k[n, s]) / D**0.5 for s in read]
            exp = [np.exp(score - max(scores)) for score in scores]
            for s, e in zip(read, exp, strict=True):
                weights[n, t, s] = e / sum(exp)
                out[n, t] += weights[n, t, s] * v[n, s]
    return out, weights
