"""Zeroes the values of blocked keys but keeps their weights."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    mask = np.repeat(keep, rep, axis=0)[:, :, None]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(scores)
    return weights @ np.where(mask, v, 0.0), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
