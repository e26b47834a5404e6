"""Takes the maximum and the exponentials over allowed keys only."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = np.einsum("nqd,nkd->nqk", q, k) / q.shape[-1] ** 0.5
    blocked = np.broadcast_to(blocked, scores.shape)
    top = scores.max(axis=-1, where=~blocked, initial=-np.inf, keepdims=True)
    exp = np.exp(scores - top, where=~blocked, out=np.zeros_like(scores))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return np.einsum("nqk,nkd->nqd", weights, v), weights
