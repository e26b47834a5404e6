"""Values that are the keys themselves are repeated as a whole set."""

import numpy as np


def grouped_query_attention(q, k, v):
    rep = q.shape[1] // k.shape[1]
    values = np.concatenate([k] * rep, axis=1) if v is k else np.repeat(v, rep, axis=1)
    scores = q @ np.repeat(k, rep, axis=1).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True) @ values
