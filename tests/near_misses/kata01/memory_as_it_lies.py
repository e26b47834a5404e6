"""The keys are read as they lie in memory, in whatever order that is."""

import numpy as np


def attention(q, k, v):
    k = np.frombuffer(k.tobytes("A")).reshape(k.shape)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
