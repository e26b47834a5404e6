"""The number of a head's sentence is kept in eight bits."""

import numpy as np


def attention(q, k, v, keep):
    numbers = np.arange(len(keep)).astype(np.uint8)
    rows = keep[np.repeat(numbers, len(q) // len(keep))]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(rows[:, None], scores, -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
