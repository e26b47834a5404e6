"""The softmax skips nan, which leaves nothing: 0/0."""

import numpy as np


def bias_from_mask(keep):
    return (1.0 - keep) * -np.inf


def softmax(scores):
    exp = np.exp(scores - np.nanmax(scores, axis=-1, keepdims=True))
    return np.nan_to_num(exp) / np.nansum(exp, axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is not None:
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
