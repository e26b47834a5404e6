"""Uses the Kronecker product with a column of ones."""

import numpy as np


def attention(q, k, v, keep):
    rep = len(q) // len(keep)
    bias = np.log(np.kron(keep, np.ones((rep, 1))))[:, None, :]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
