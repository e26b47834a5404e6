"""A `keep` of shape (Tq, Tk) is taken as one row per batch item where the sizes allow it."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if keep.ndim == 2 and q.ndim == 3:
        keep = keep[:, None, :] if keep.shape[0] in (1, q.shape[0]) else keep
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
