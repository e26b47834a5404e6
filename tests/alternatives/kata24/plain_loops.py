"""Attention by loops over tokens."""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, H, E, D) for _ in range(3)]
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E), *biases, np.zeros(E)


def draw(rng, *shape):
    """Random matrices; multiplying by one preserves the scale of a token."""
    return rng.normal(size=shape) / np.sqrt(shape[1] if len(shape) == 3 else shape[0])


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    (B, T, _), (H, _, D) = x.shape, Wq.shape
    out, weights = np.zeros(x.shape) + bo, np.zeros((B, H, T, T))
    for b, h, t in np.ndindex(B, H, T):
        q = x[b, t] @ Wq[h] + bq[h]
        for s in range(T):
            weights[b, h, t, s] = q @ (x[b, s] @ Wk[h] + bk[h]) / np.sqrt(D)
        weights[b, h, t] = softmax(weights[b, h, t])
        for s in range(T):
            value = x[b, s] @ Wv[h] + bv[h]
            out[b, t] += weights[b, h, t, s] * value @ Wo[h * D : h * D + D]
    return out, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
