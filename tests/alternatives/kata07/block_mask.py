"""Never splits the heads: a 0/1 mask over the columns selects each head."""

import numpy as np


def multi_head_attention(q, k, v, H):
    D = q.shape[-1] // H
    own = np.repeat(np.eye(H), D, axis=1)[:, None, None, :]  # (H, 1, 1, H * D)
    scores = (q * own) @ k.swapaxes(1, 2) / np.sqrt(D)  # (H, B, Tq, Tk)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return (weights @ v * own).sum(axis=0)
