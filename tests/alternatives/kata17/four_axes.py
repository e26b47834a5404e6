"""Gives scores an axis for sentences and one for heads; the mask broadcasts."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    seen = scores.reshape(len(keep), -1, *scores.shape[1:])  # (B, H, Tq, Tk)
    weights = softmax(np.where(keep[:, None, None, :], seen, -np.inf)).reshape(scores.shape)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
