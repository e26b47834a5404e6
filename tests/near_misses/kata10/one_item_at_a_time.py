"""Handles each batch item separately, but not each query; `softmax` keeps the bug."""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    flat = scores.reshape(-1, *scores.shape[-2:])
    weights = np.stack([softmax(item) for item in flat]).reshape(scores.shape)
    return weights @ v


def softmax(scores):
    exp = np.exp(scores - scores.max())
    return exp / exp.sum(axis=-1, keepdims=True)
