"""Einsum, with letter t for queries and s for keys."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    T, B, _ = x.shape
    q, k, v = ((x @ W).reshape(T, B, H, -1) for W in (Wq, Wk, Wv))
    scores = np.einsum("tbhd,sbhd->bhts", q, k) / np.sqrt(q.shape[-1])
    scores[..., np.triu_indices(T, 1)[0], np.triu_indices(T, 1)[1]] = -np.inf
    heads = np.einsum("bhts,sbhd->tbhd", softmax(scores), v)
    return heads.reshape(T, B, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
