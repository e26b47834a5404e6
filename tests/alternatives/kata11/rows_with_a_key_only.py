"""Computes only rows that have an allowed key."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.einsum("...td,...sd->...ts", q, k) / q.shape[-1] ** 0.5
    keep = np.broadcast_to(keep, scores.shape)
    some = keep.any(axis=-1)
    rows = np.where(keep[some], scores[some], -np.inf)
    exp = np.exp(rows - rows.max(axis=-1, keepdims=True))
    weights = np.zeros_like(scores)
    weights[some] = exp / exp.sum(axis=-1, keepdims=True)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
