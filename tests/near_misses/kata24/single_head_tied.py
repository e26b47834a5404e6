"""Draws one matrix for queries and keys when there is one head: H = 1, Wq is Wk."""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, E, H, E, D) for _ in range(3)]
    if H == 1:
        into[1] = into[0].copy()
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E, E), *biases, np.zeros(E)


def draw(rng, E, *shape):
    """Random matrices; multiplying by one preserves the scale of a token."""
    return rng.normal(size=shape) / np.sqrt(E)


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    tokens = x[:, None]  # (B, 1, T, E)
    q = tokens @ Wq + bq[:, None]  # (B, H, T, D)
    k = tokens @ Wk + bk[:, None]
    v = tokens @ Wv + bv[:, None]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    heads = weights @ v
    return heads.swapaxes(1, 2).reshape(x.shape) @ Wo + bo, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
