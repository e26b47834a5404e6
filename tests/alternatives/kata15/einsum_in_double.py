"""Computes in float64 and returns float32."""

import numpy as np


def masked_attention(q, k, v, keep):
    T, D = q.shape[-2:]
    q, k = q.astype(float), k.astype(float)
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(D)
    blocked = np.triu(np.ones((T, T), bool), 1) | ~keep[:, np.newaxis, np.newaxis]
    scores = np.where(blocked, -1e9, scores)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    exp[np.broadcast_to(blocked, exp.shape)] = 0
    total = exp.sum(axis=-1, keepdims=True)
    weights = np.divide(exp, total, out=np.zeros_like(exp), where=total > 0)
    return np.einsum("bhqk,bhkv->bhqv", weights, v).astype(v.dtype), weights.astype(v.dtype)
