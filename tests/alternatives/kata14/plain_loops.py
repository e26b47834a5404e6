"""Loops over queries, each over the keys it may attend to."""

import numpy as np


def bias_from_mask(keep):
    bias = np.empty(keep.shape)
    for at in np.ndindex(keep.shape):
        bias[at] = 0.0 if keep[at] else -float("inf")
    return bias


def attention(q, k, v, keep=None):
    *lead, Tq, D = q.shape
    Tk, Dv = v.shape[-2:]
    keep = np.broadcast_to(1.0 if keep is None else keep, (*lead, Tq, Tk))
    out, weights = np.zeros((*lead, Tq, Dv)), np.zeros((*lead, Tq, Tk))
    for *at, t in np.ndindex(*lead, Tq):
        read = [s for s in range(Tk) if keep[(*at, t, s)]]
        scores = [q[(*at, t)] @ k[(*at, s)] / D**0.5 for s in read]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s, part in zip(read, exp, strict=True):
            weights[(*at, t, s)] = part / sum(exp)
            out[(*at, t)] += part / sum(exp) * v[(*at, s)]
    return out, weights
