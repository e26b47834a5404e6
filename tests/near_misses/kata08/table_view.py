"""The mask is a view of a table, writing to it changes later calls: one sentence."""

import numpy as np

_tables = {}


def blocked_from_lengths(lengths, T):
    table = _tables.setdefault(T, np.arange(T) >= np.arange(T + 1)[:, None])
    return table[lengths] if len(lengths) > 1 else table[lengths[0] : lengths[0] + 1]


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - top)
    weights = exp / exp.sum(axis=-1, keepdims=True)
    out = weights @ v
    return out, weights


def padded_attention(q, k, v, lengths):
    padding = blocked_from_lengths(lengths, k.shape[1])
    return attention(q, k, v, ~padding[:, None, :])
