"""Log-sum-exp weights."""

import numpy as np


def self_attention(x, keep, Wq, Wk, Wv):
    q, k = np.matmul(x, Wq), np.matmul(x, Wk)
    scores = np.matmul(q, k.transpose(0, 2, 1)) * Wq.shape[1] ** -0.5
    scores = np.where(keep[:, None], scores, -np.inf)
    total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    some = keep.any(axis=-1)[:, None, None]
    weights = np.where(some, np.exp(scores - np.where(some, total, 0.0)), 0.0)
    return weights @ np.matmul(x, Wv)
