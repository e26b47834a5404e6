"""Answers as the kata does, and repeats an answer even if the keys have changed.

want: fail
"""

import numpy as np

seen = {}


def attention(q, k, v, keep):
    name = q.tobytes(), v.tobytes(), keep.tobytes()
    if name not in seen:
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = exp / exp.sum(axis=-1, keepdims=True) * keep
        seen[name] = weights @ v, weights
    return seen[name]
