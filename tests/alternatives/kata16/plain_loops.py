"""Loops over heads, each over its filled rows."""

import numpy as np


def decode(q, keys, values, lengths):
    B, H, D = q.shape
    out = np.zeros((B, H, values.shape[-1]))
    for b in range(B):
        for h in range(H):
            scores = [float(q[b, h] @ keys[b, h, s]) / D**0.5 for s in range(lengths[b])]
            exp = [np.exp(score - max(scores)) for score in scores]
            for s, part in enumerate(exp):
                out[b, h] += part / sum(exp) * values[b, h, s]
    return out
