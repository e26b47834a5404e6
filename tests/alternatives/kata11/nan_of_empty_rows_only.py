"""Plain masked softmax, then zeros written into the empty rows."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(keep, scores, -np.inf))
    weights[~np.broadcast_to(keep, scores.shape).any(axis=-1)] = 0.0
    return weights @ v, weights


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
