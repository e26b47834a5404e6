"""Divides by the sum of the exponentials at the end, after the values are summed."""

import numpy as np


def multi_head_attention(q, k, v, H):
    B, Tq, E = q.shape
    parts = [x.reshape(B, -1, H, E // H) for x in (q, k, v)]
    scores = np.einsum("bthd,bshd->bhts", parts[0] / np.sqrt(E // H), parts[1])
    exp = np.exp(scores - np.max(scores, axis=3, keepdims=True))
    summed = np.einsum("bhts,bshd->bthd", exp, parts[2])
    return (summed / exp.sum(axis=3).swapaxes(1, 2)[..., None]).reshape(B, Tq, E)
