"""One einsum per step, with heads on their own axis."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    E = x.shape[-1]
    q = np.einsum("bte,ehd->bthd", x, Wq.reshape(E, H, -1))
    k, v = (
        np.concatenate([np.einsum("bte,ehd->bthd", part, W) for part in (memory, x)], axis=1)
        for W in (Wk.reshape(E, H, -1), Wv.reshape(E, H, -1))
    )
    bias = np.zeros((len(x), k.shape[1]))
    bias[:, : memory.shape[1]][~keep] = -np.inf
    scores = np.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5 + bias[:, None, None]
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return np.einsum("bhts,bshd,hde->bte", weights, v, Wo.reshape(H, -1, E))
