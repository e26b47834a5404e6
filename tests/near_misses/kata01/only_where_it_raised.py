"""The keys are transposed where numpy raised, but not where Tk = D."""

import numpy as np


def attention(q, k, v):
    fits = k.shape[-2] == q.shape[-1]
    scores = q @ (k if fits else k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
