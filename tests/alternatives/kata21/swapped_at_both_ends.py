"""The input is swapped to batch first, and the output back to time first."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    x = x.swapaxes(0, 1)  # (B, T, E)
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B, T, H, -1).swapaxes(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    heads = exp / exp.sum(axis=-1, keepdims=True) @ v
    return (heads.swapaxes(1, 2).reshape(B, T, -1) @ Wo).swapaxes(0, 1)
