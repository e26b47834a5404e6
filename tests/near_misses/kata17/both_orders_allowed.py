"""Allows a key if either order of the masks allows it."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    tiled, repeated = np.tile(keep, (rep, 1)), np.repeat(keep, rep, axis=0)
    blocked = ~(tiled | repeated)[:, None, :]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
