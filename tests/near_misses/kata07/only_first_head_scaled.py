"""Scales the first head by the head size, the others by the full width."""

import numpy as np


def split(x, H):
    """Split the last axis into heads."""
    B, T, E = x.shape
    return x.reshape(B, T, H, E // H).swapaxes(1, 2)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads along the last axis."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, H):
    scale = np.full((H, 1, 1), q.shape[-1] ** -0.5)
    scale[0] = (q.shape[-1] // H) ** -0.5
    q, k, v = (split(x, H) for x in (q, k, v))
    scores = scale * np.einsum("bhtd,bhsd->bhts", q, k)
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge(np.einsum("bhts,bhsd->bhtd", weights, v))
