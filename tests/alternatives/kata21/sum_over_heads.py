"""Each head has its own part of Wo, and the outputs are summed."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    x = np.moveaxis(x, 1, 0)
    later = ~np.tri(x.shape[1], dtype=bool)
    out = 0.0
    for parts in zip(*(np.split(W, H, axis=1) for W in (Wq, Wk, Wv)), np.split(Wo, H), strict=True):
        q, k, v = (x @ W for W in parts[:3])
        scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        scores[:, later] = -np.inf
        out = out + softmax(scores) @ v @ parts[3]
    return np.moveaxis(out, 0, 1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
