"""A loop over heads, in the initialisation and in the attention."""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.RandomState(seed), E // H
    q, k, v, o = [], [], [], []
    for _ in range(H):
        for matrices in (q, k, v):
            matrices.append(rng.randn(E, D) / np.sqrt(E))
        o.append(rng.randn(D, E) / np.sqrt(H * D))
    biases = (np.zeros((H, D)) for _ in range(3))
    return np.stack(q), np.stack(k), np.stack(v), np.concatenate(o), *biases, np.zeros(E)


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    H, _, D = Wq.shape
    out, weights = np.zeros_like(x), []
    for h in range(H):
        q, k, v = x @ Wq[h] + bq[h], x @ Wk[h] + bk[h], x @ Wv[h] + bv[h]
        exp = q @ np.transpose(k, (0, 2, 1)) / D**0.5
        exp = np.exp(exp - np.max(exp, axis=2, keepdims=True))
        weights.append(exp / np.sum(exp, axis=2, keepdims=True))
        out += weights[-1] @ v @ Wo[h * D : (h + 1) * D]
    return out + bo, np.stack(weights, axis=1)
