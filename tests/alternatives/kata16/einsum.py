"""Uses einsum, with both buffers replaced first."""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None, :]
    keys, values = (np.where(keep[..., None], x, 0.0) for x in (keys, values))
    scores = np.einsum("bhd,bhsd->bhs", q, keys) * q.shape[-1] ** -0.5
    weights = softmax(scores + np.where(keep, 0.0, -np.inf))
    return np.einsum("bhs,bhsv->bhv", weights, values)
