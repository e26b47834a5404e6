"""Reshapes scores to (H, B, Tq, Tk), but the rows are in order (B, H)."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    scores = scores.reshape(rep, len(keep), *scores.shape[1:])
    weights = softmax(np.where(keep[None, :, None, :], scores, -np.inf))
    weights = weights.reshape(len(q), *weights.shape[2:])
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
