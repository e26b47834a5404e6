"""Queries and keys are each scaled before the product."""

import numpy as np


def attention(q, k, v):
    def softmax(x):
        x = x - np.amax(x, axis=-1, keepdims=True)
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

    root = q.shape[-1] ** -0.25
    weights = softmax((q * root) @ (k * root).swapaxes(-2, -1))
    return weights @ v, weights
