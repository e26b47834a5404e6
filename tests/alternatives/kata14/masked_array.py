"""Uses numpy.ma to leave out blocked scores and returns plain arrays."""

import numpy as np


def bias_from_mask(keep):
    return np.ma.masked_array(np.zeros_like(keep), mask=keep == 0.0).filled(-np.inf)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    blocked = False if keep is None else np.broadcast_to(keep == 0.0, scores.shape)
    read = np.ma.masked_array(scores, mask=blocked)
    exp = np.ma.exp(read - read.max(axis=-1, keepdims=True))
    weights = (exp / exp.sum(axis=-1, keepdims=True)).filled(0.0)
    return weights @ v, weights
