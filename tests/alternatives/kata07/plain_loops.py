"""Loops over batch items, heads and queries."""

import numpy as np


def multi_head_attention(q, k, v, H):
    B, Tq, E = q.shape
    D = E // H
    out = np.zeros((B, Tq, E))
    for b, h, t in np.ndindex(B, H, Tq):
        own = slice(h * D, (h + 1) * D)
        scores = [q[b, t, own] @ key[own] / D**0.5 for key in k[b]]
        highest = max(scores)
        parts = [np.exp(score - highest) for score in scores]
        total = sum(parts)
        for part, value in zip(parts, v[b], strict=True):
            out[b, t, own] += part / total * value[own]
    return out
