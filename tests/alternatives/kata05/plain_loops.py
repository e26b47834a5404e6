"""One query at a time, over its allowed keys."""

import numpy as np


def attention(q, k, v, keep):
    axes, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    keep = np.broadcast_to(keep, (*axes, queries, keys))
    out, weights = np.zeros((*axes, queries, v.shape[-1])), np.zeros((*axes, queries, keys))
    for *b, t in np.ndindex(*axes, queries):
        b = tuple(b)
        read = np.flatnonzero(keep[b][t])
        scores = k[b][read] @ q[b][t] / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max())
        weights[b][t, read] = exp / exp.sum()
        out[b][t] = weights[b][t, read] @ v[b][read]
    return out, weights
