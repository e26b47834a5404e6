"""Leaves the masks as they were and reorders the outputs instead."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    blocked = ~np.tile(keep, (rep, 1))[:, None, :]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    order = np.arange(len(q)).reshape(rep, -1).T.ravel()
    return (weights @ v)[order], weights[order]


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
