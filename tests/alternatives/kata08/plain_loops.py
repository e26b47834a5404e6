"""Loops over queries and their allowed keys."""

import numpy as np


def blocked_from_lengths(lengths, T):
    return np.array([[t >= length for t in range(T)] for length in lengths])


def attention(q, k, v, keep):
    (B, Tq, D), Tk = q.shape, k.shape[1]
    keep = np.broadcast_to(keep, (B, Tq, Tk))
    out, weights = np.zeros((B, Tq, v.shape[2])), np.zeros((B, Tq, Tk))
    for b, t in np.ndindex(B, Tq):
        read = [s for s in range(Tk) if keep[b, t, s]]
        scores = [float(q[b, t] @ k[b, s]) / D**0.5 for s in read]
        parts = [np.exp(score - max(scores)) for score in scores]
        for s, part in zip(read, parts, strict=True):
            weights[b, t, s] = part / sum(parts)
            out[b, t] += weights[b, t, s] * v[b, s]
    return out, weights


def padded_attention(q, k, v, lengths):
    blocked = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, [[[not place for place in row]] for row in blocked])
