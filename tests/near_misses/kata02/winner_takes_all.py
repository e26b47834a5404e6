"""Where scores are more than 88 apart, the highest takes all the weight."""

import numpy as np


def softmax(x, axis):
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores, axis=-1)
    far = np.ptp(scores, axis=-1, keepdims=True) > 88.0
    weights = np.where(far, np.eye(k.shape[-2])[scores.argmax(axis=-1)], weights)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
