"""Loops over tokens, each over the keys it may attend to."""

import numpy as np


def masked_attention(q, k, v, keep):
    B, H, T, D = q.shape
    weights = np.zeros((B, H, T, T), dtype=np.float32)
    for b, h, t in np.ndindex(B, H, T):
        words = np.flatnonzero(keep[b, : t + 1])
        if words.size:
            scores = k[b, h, words] @ q[b, h, t] / np.float32(np.sqrt(D))
            exp = np.exp(scores - scores.max())
            weights[b, h, t, words] = exp / exp.sum()
    return weights @ v, weights
