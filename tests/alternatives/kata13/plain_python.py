"""Loops over every number, in plain Python."""

import math

import numpy as np


def scaled_dot_product_attention(q, k, v, attn_mask):
    *lead, Tq, D = q.shape
    mask = np.broadcast_to(attn_mask, (*lead, Tq, k.shape[-2]))
    out = np.zeros((*lead, Tq, v.shape[-1]))
    for item in np.ndindex(*lead):
        rows = zip(q[item].tolist(), mask[item].tolist(), strict=True)
        keys, values = k[item].tolist(), v[item].tolist()
        out[item] = [attend(row, keys, values, given, D) for row, given in rows]
    return out


def attend(query, keys, values, given, D):
    """The output of one query."""
    scores = []
    for key, number in zip(keys, given, strict=True):
        score = sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(D)
        scores.append((score if number else -math.inf) if type(number) is bool else score + number)
    highest = max(scores)
    exp = [math.exp(score - highest) for score in scores]
    total = sum(exp)
    shares = [(e / total, value) for e, value in zip(exp, values, strict=True) if e]
    return [sum(w * value[i] for w, value in shares) for i in range(len(values[0]))]
