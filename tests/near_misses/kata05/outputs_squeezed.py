"""The right numbers, but axes of size one are missing from the results."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.where(keep, q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return np.squeeze(weights @ v), np.squeeze(weights)
