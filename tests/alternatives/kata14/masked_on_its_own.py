"""`attention` masks scores itself, without the bias."""

import numpy as np


def bias_from_mask(keep):
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    if keep is None:
        keep = np.ones(k.shape[-2])
    scores = np.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    weights = softmax(np.where(keep > 0.5, scores, -np.inf))
    return np.einsum("...qk,...kd->...qd", weights, v), weights
