"""Loops over tokens and heads."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, E = x.shape
    D = Wo.shape[0] // H
    out = np.zeros((B, T, E))
    for b, h in np.ndindex(B, H):
        first = 3 * D * h
        queries, keys, values = np.split(x[b] @ Wqkv[:, first : first + 3 * D], 3, axis=-1)
        for t in range(T):
            scores = [queries[t] @ key / np.sqrt(D) for key in keys]
            highest = max(scores)
            parts = [np.exp(score - highest) for score in scores]
            said = sum(part * value for part, value in zip(parts, values, strict=True))
            out[b, t] += said / sum(parts) @ Wo[h * D : (h + 1) * D]
    return out
