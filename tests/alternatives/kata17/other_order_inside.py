"""Reorders to heads before sentences, tiles the masks, then restores the order."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    order = np.arange(len(q)).reshape(-1, rep).T.ravel()
    q, k, back = q[order], k[order], np.argsort(order)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    tiled = np.tile(keep, (rep, 1))[:, None, :]
    weights = softmax(np.where(tiled, scores, -np.inf))[back]
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
