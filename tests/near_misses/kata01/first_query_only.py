"""Every query gets the scores of the first query."""

import numpy as np


def attention(q, k, v):
    scores = np.repeat(q[..., :1, :] @ k.swapaxes(-1, -2), q.shape[-2], axis=-2)
    scores = scores / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
