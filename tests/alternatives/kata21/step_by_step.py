"""A loop over time steps without a mask: each attends to what there is so far."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    T, B, _ = x.shape
    q, k, v = ((x @ W).reshape(T, B, H, -1) for W in (Wq, Wk, Wv))
    heads = []
    for t in range(T):
        scores = (q[t] * k[: t + 1]).sum(axis=-1) / np.sqrt(q.shape[-1])  # (t + 1, B, H)
        exp = np.exp(scores - scores.max(axis=0))
        heads.append((exp[..., None] * v[: t + 1]).sum(axis=0) / exp.sum(axis=0)[..., None])
    return np.stack(heads).reshape(T, B, -1) @ Wo
