"""The inputs are taken for one array if their memory overlaps."""

import numpy as np


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v):
    if q.shape == k.shape == v.shape and np.may_share_memory(q, k) and np.may_share_memory(k, v):
        k = v = q
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])) @ v
