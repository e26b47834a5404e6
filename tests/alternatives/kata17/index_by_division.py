"""Row i belongs to sentence i // H."""

import numpy as np


def attention(q, k, v, keep):
    sentence = np.arange(len(q)) // (len(q) // len(keep))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B * H, Tq, Tk)
    scores[~np.broadcast_to(keep[sentence, None], scores.shape)] = -np.inf
    weights = softmax(scores)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
