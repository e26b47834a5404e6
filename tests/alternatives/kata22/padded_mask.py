"""The mask is extended with np.pad."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape
    source = np.concatenate([x, memory], axis=1)  # (B, Tq + Tk, E)
    q, k, v = split(x @ Wq, H), split(source @ Wk, H), split(source @ Wv, H)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tq + Tk)
    may = np.pad(keep, [(0, 0), (Tq, 0)], constant_values=True)
    blocked = np.logical_not(may)
    weights = softmax(np.where(blocked[:, None, None, :], -np.inf, scores))
    heads = weights @ v  # (B, H, Tq, D)
    return heads.swapaxes(1, 2).reshape(B, Tq, -1) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
