"""Loops over queries and keys."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    rep = H // k.shape[1]
    out = np.zeros((B, H, Tq, v.shape[-1]))
    for b, h, t in np.ndindex(B, H, Tq):
        g = h // rep
        scores = [sum(q[b, h, t] * key) / np.sqrt(D) for key in k[b, g]]
        highest = max(scores)
        parts = [np.exp(score - highest) for score in scores]
        total = sum(parts)
        for part, value in zip(parts, v[b, g], strict=True):
            out[b, h, t] += part / total * value
    return out
