"""Where the values are those of an identity, the weights are returned twice, as one array."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    T = x.shape[-2]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    if v.shape[-1] == T and (v == np.eye(T)).all():
        return weights, weights
    return weights @ v, weights
