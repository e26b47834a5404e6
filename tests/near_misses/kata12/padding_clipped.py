"""Numbers in the padding are kept within the limit of all others; its queries need them."""

import numpy as np


def self_attention(x, keep, Wq, Wk, Wv):
    x = np.where(keep[..., None], x, np.clip(x, -1e6, 1e6))
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep[:, None], scores, -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(highest == -np.inf, 0.0, highest))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total == 0.0, 1.0, total) @ v
