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
    for b, h in np.ndindex(B, H):
        q, k, v = x[b] @ Wq[h] + bq[h], x[b] @ Wk[h] + bk[h], x[b] @ Wv[h] + bv[h]
        for t in range(T):
            weights[b, h, t] = softmax(np.array([q[t] @ key for key in k]) / np.sqrt(D))
            head = sum(weights[b, h, t, s] * v[s] for s in range(T))
            out[b, t] += head @ Wo[h * D : h * D + D]
    return out, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
