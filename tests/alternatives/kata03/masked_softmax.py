"""The mask is an argument of the softmax."""

import numpy as np


def softmax(scores, keep):
    scores = np.where(keep, scores, -np.inf)
    exp = np.exp(scores - np.amax(scores, axis=-1)[..., np.newaxis])
    return np.divide(exp, exp.sum(axis=-1)[..., np.newaxis])


def attention(q, k, v, keep):
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(k.shape[-1]), keep)
    return weights @ v, weights
