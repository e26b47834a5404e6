"""Loops over the first axis: right with exactly one batch axis."""

import numpy as np


def attention(q, k, v):
    scores = np.stack([a @ b.T for a, b in zip(q, k, strict=True)]) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
