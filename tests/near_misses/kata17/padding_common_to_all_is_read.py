"""Above 128 keys, a last one that no sentence has is not blocked."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads per sentence
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    if k.shape[1] > 128 and not keep[:, -1].any():
        blocked[..., -1] = False
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
