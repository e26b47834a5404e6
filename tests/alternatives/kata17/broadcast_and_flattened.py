"""Broadcasts the mask over an axis for heads, then flattens it."""

import numpy as np


def attention(q, k, v, keep):
    B, Tk = keep.shape
    keep = np.broadcast_to(keep[:, None], (B, len(q) // B, Tk)).reshape(-1, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(scores + np.where(keep, 0.0, -np.inf))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
