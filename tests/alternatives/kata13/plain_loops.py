"""Loops over queries and keys."""

import numpy as np


def scaled_dot_product_attention(q, k, v, attn_mask):
    *lead, Tq, D = q.shape
    Tk, Dv = v.shape[-2:]
    keep_or_bias = np.broadcast_to(attn_mask, (*lead, Tq, Tk))
    out = np.zeros((*lead, Tq, Dv))
    for *item, t in np.ndindex(*lead, Tq):
        b = tuple(item)
        scores = {}
        for s in range(Tk):
            given = keep_or_bias[b][t, s]
            if attn_mask.dtype == bool and not given:
                continue
            added = 0.0 if attn_mask.dtype == bool else given
            scores[s] = q[b][t] @ k[b][s] / D**0.5 + added
        highest = max(scores.values())
        exp = {s: np.exp(score - highest) for s, score in scores.items()}
        for s, share in exp.items():
            if share:
                out[b][t] += share / sum(exp.values()) * v[b][s]
    return out
