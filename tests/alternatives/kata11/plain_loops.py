"""Loops over queries and their allowed keys."""

import numpy as np


def attention(q, k, v, keep):
    axes, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    keep = np.broadcast_to(keep, (*axes, queries, keys))
    out, weights = np.zeros((*axes, queries, v.shape[-1])), np.zeros(keep.shape)
    for *b, t in np.ndindex(*axes, queries):
        b = tuple(b)
        read = [s for s in range(keys) if keep[b][t, s]]
        if not read:
            continue
        scores = [q[b][t] @ k[b][s] / q.shape[-1] ** 0.5 for s in read]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s, part in zip(read, exp, strict=True):
            weights[b][t, s] = part / sum(exp)
            out[b][t] += part / sum(exp) * v[b][s]
    return out, weights
