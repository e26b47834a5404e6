"""Uses the last mask again where none is given."""

import numpy as np

LAST = []


def bias_from_mask(keep):
    """The mask as a bias to add to the scores."""
    return np.where(keep == 1.0, 0.0, -np.inf)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    if keep is None and LAST and LAST[-1].shape == scores.shape:
        keep = LAST[-1]
    if keep is not None:
        LAST.append(keep)
        scores = scores + bias_from_mask(keep)
    weights = softmax(scores)
    return weights @ v, weights
