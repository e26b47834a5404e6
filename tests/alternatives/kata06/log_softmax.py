"""Weights are exp of log weights, computed relative to the row's maximum."""

import numpy as np


def attention(q, k, v, bias):
    scores = q.shape[-1] ** -0.5 * (q @ k.swapaxes(-1, -2)) + bias
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True)))
    return weights @ v, weights
