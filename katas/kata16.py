"""Kata 16: A cache half full.

Symptom
    Occasionally an output is nan, but only in a process that has already served other sentences.
    In a new process the same tokens give the right output.

Reproduce
    >>> buffer = np.array([[[[4.0], [4.0], [np.nan]]]])  # two of its three rows are filled
    >>> newest = buffer[:, :, 1]
    >>> decode(newest, buffer, buffer, np.array([2])).round(6).tolist()
    [[[4.0]]]

Contract
    decode(q, keys, values, lengths) -> out
        q        (B, H, D)              for each head, the query of the newest token; all
                                        arrays except lengths are float64
        keys     (B, H, capacity, D)    buffers: rows 0 to lengths[b] - 1 of item b are filled
        values   (B, H, capacity, Dv)   likewise
        lengths  (B,)                   int (int64), from 1 to capacity, including the newest token
        out      (B, H, Dv)             for each head, the mean of the filled values, weighted by
                                        the softmax of q . k / sqrt(D) over the filled keys
    The other rows of a buffer are uninitialised: they may hold anything, NaN and infinity included,
    and do not affect the output. A NaN in a filled row comes from the caller and must stay visible:
    a NaN in a key makes the whole output of its head and item NaN, a NaN in a value only the output
    number in the same column; nothing else is NaN. If there is a NaN in a filled value, you may
    assume that its row has a weight above zero. All other numbers in q and in filled rows, their
    scores, and |q| . |k| / sqrt(D) lie between -1e6 and 1e6. All sizes are at least one. Inputs are
    read-only; results are new arrays.
"""

import numpy as np


def filled(lengths, capacity):
    """True for the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    scores = np.where(keep, scores, -np.inf)
    weights = softmax(scores)
    return (weights[..., None, :] @ values)[..., 0, :]
