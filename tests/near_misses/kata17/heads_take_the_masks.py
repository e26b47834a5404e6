"""Reshapes scores to (B, H, Tq, Tk) but lays the batch's masks along the heads."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    scores = scores.reshape(len(keep), rep, *scores.shape[1:])
    mask = np.resize(keep, (rep, keep.shape[1]))
    weights = softmax(np.where(mask[None, :, None, :], scores, -np.inf))
    weights = weights.reshape(len(q), *weights.shape[2:])
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
