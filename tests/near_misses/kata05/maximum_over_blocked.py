"""The maximum includes blocked keys: 0 / 0 once a blocked score is far above the rest."""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True)) * keep
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
