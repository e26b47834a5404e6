"""Loops over queries and keys."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    rep = H // k.shape[1]
    out = np.zeros((B, H, Tq, v.shape[-1]))
    for b, h, t in np.ndindex(B, H, Tq):
        g = h // rep
        scores = [sum(q[b, h, t] * key) / np.sqrt(D) for key in k[b, g]]
        parts = [np.exp(score - max(scores)) for score in scores]
        for part, value in zip(parts, v[b, g], strict=True):
            out[b, h, t] += part / sum(parts) * value
    return out
