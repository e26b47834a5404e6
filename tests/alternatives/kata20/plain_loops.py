"""Loops over tokens and heads."""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, E = x.shape
    D = Wo.shape[0] // H
    out = np.zeros((B, T, E))
    for b, t, h in np.ndindex(B, T, H):
        first = 3 * D * h
        q = x[b, t] @ Wqkv[:, first : first + D]
        scores = [q @ (y @ Wqkv[:, first + D : first + 2 * D]) / np.sqrt(D) for y in x[b]]
        parts = [np.exp(score - max(scores)) for score in scores]
        values = Wqkv[:, first + 2 * D : first + 3 * D]
        said = sum(p * (y @ values) for p, y in zip(parts, x[b], strict=True))
        out[b, t] += said / sum(parts) @ Wo[h * D : (h + 1) * D]
    return out
