"""A running maximum and two running sums per token, updated step by step."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    T, B, _ = x.shape
    q, k, v = ((x @ W).reshape(T, B, H, -1) for W in (Wq, Wk, Wv))
    top = np.full((T, B, H, 1), -np.inf)
    total, heads = np.zeros((T, B, H, 1)), np.zeros(v.shape)
    for s in range(T):
        scores = (q[s:] * k[s]).sum(axis=-1, keepdims=True) / np.sqrt(q.shape[-1])
        higher = np.maximum(top[s:], scores)
        old, new = np.exp(top[s:] - higher), np.exp(scores - higher)
        total[s:] = total[s:] * old + new
        heads[s:] = heads[s:] * old + new * v[s]
        top[s:] = higher
    return (heads / total).reshape(T, B, -1) @ Wo
