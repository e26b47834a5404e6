"""Kata 16: A cache half full.

Symptom
    Now and then, in a process that has served other sentences before, an answer is nan. Asked
    again in a new process, the same words get the right one.

Reproduce
    >>> buffer = np.array([[[[4.0], [4.0], [np.nan]]]])  # two of its three rows are filled
    >>> newest = buffer[:, :, 1]
    >>> decode(newest, buffer, buffer, np.array([2])).tolist()
    [[[4.0]]]

Contract
    decode(q, keys, values, lengths) -> out
        q        (B, H, D)              for each head, the query of the newest token, float64
        keys     (B, H, capacity, D)    buffers: rows 0 to lengths[b] - 1 of item b are filled
        values   (B, H, capacity, Dv)   likewise
        lengths  (B,)                   ints from 1 to capacity, the newest token counted
        out      (B, H, Dv)             for each head, the mean of the filled values under the
                                        softmax of q . k / sqrt(D) over the filled keys
    Nobody has written the other rows of a buffer: whatever they hold, NaN and infinity too, it
    changes no answer. A NaN in a filled row is the caller's own and stays to be seen: one in a key
    makes NaN of the whole answer of its head and item, one in a value of that one number of the
    answer; nothing else is NaN. A filled row with a NaN in its value weighs more than zero. All
    other numbers in q and in filled rows lie between -1e6 and 1e6, and so do their scores. All
    sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def filled(lengths, capacity):
    """True at the rows of a buffer that hold a token."""
    return np.arange(capacity) < lengths[:, None]  # (B, capacity)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def decode(q, keys, values, lengths):
    keep = filled(lengths, keys.shape[-2])[:, None]  # (B, 1, capacity)
    scores = (keys @ q[..., None])[..., 0] / np.sqrt(q.shape[-1])  # (B, H, capacity)
    weights = softmax(np.where(keep, scores, -np.inf))
    return (weights[..., None, :] @ values)[..., 0, :]
