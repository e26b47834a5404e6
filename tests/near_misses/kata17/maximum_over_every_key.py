"""The masks are right, but a row is 0/0 where a blocked key scores far higher."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    blocked = ~np.repeat(keep, rep, axis=0)[:, None, :]  # (B * H, 1, Tk)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    exp = np.where(blocked, 0.0, np.exp(scores - scores.max(axis=-1, keepdims=True)))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
