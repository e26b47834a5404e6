"""One query at a time."""

import numpy as np


def attention(q, k, v, bias):
    axes, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    bias = np.broadcast_to(bias, (*axes, queries, keys))
    out = np.zeros((*axes, queries, v.shape[-1]), np.float32)
    weights = np.zeros((*axes, queries, keys), np.float32)
    for *b, t in np.ndindex(*axes, queries):
        b = tuple(b)
        scores = [float(q[b][t] @ key) / q.shape[-1] ** 0.5 for key in k[b]]
        scores = [score + float(more) for score, more in zip(scores, bias[b][t], strict=True)]
        exp = [np.exp(score - max(scores)) for score in scores]
        for s in range(keys):
            weights[b][t, s] = exp[s] / sum(exp)
        out[b][t] = weights[b][t] @ v[b]
    return out, weights
