"""Subtracts 1e6 from padding: wrong if padding scores near 1e6 and tokens near or below zero."""

import numpy as np


def softmax(scores):
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores -= 1e6 * ~keep[:, None, :]
    out = softmax(scores) @ v
    out[~keep.any(axis=1)] = 0.0
    return out
