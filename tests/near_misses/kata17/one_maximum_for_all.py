"""The masks are right, but rows far below the overall maximum become 0/0."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    exp = np.exp(np.where(blocked, -np.inf, scores - scores.max()))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
