"""Loops over every number."""

import numpy as np


def split_heads(x, H):
    heads = np.zeros((x.shape[0], H, x.shape[1], x.shape[2] // H))
    for b, h, t, d in np.ndindex(heads.shape):
        heads[b, h, t, d] = x[b, t, h * heads.shape[3] + d]
    return heads


def merge_heads(heads):
    B, H, T, D = heads.shape
    x = np.zeros((B, T, H * D))
    for b, h, t, d in np.ndindex(heads.shape):
        x[b, t, h * D + d] = heads[b, h, t, d]
    return x


def attention(q, k, v, H):
    q, k, v = split_heads(q, H), split_heads(k, H), split_heads(v, H)
    B, _, Tq, D = q.shape
    out, weights = np.zeros((B, H, Tq, v.shape[3])), np.zeros((B, H, Tq, k.shape[2]))
    for b, h, t in np.ndindex(B, H, Tq):
        scores = [sum(q[b, h, t] * key) / D**0.5 for key in k[b, h]]
        highest = max(scores)
        exp = [np.exp(score - highest) for score in scores]
        total = sum(exp)
        weights[b, h, t] = [e / total for e in exp]
        out[b, h, t] = sum(w * value for w, value in zip(weights[b, h, t], v[b, h], strict=True))
    return merge_heads(out), weights
