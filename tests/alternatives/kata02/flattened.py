"""All leading axes flattened into one, and restored at the end."""

import numpy as np


def attend_one(q, k, v):
    scores = np.inner(q, k) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=1)[:, None])
    weights = exp / exp.sum(axis=1)[:, None]
    return weights @ v, weights


def attention(q, k, v):
    lead = q.shape[:-2]
    parts = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
    out, weights = zip(*map(attend_one, *parts), strict=True)
    return np.reshape(out, (*lead, *out[0].shape)), np.reshape(weights, (*lead, *weights[0].shape))
