"""Loops over tokens, attending to real tokens only."""

import numpy as np


def self_attention(x, keep, Wq, Wk, Wv):
    B, T, _ = x.shape
    out = np.zeros((B, T, Wv.shape[1]))
    for b in range(B):
        words = x[b, keep[b]]
        if len(words) == 0:
            continue
        k, v = words @ Wk, words @ Wv
        for t in range(T):
            scores = k @ (x[b, t] @ Wq) / np.sqrt(Wq.shape[1])
            exp = np.exp(scores - scores.max())
            out[b, t] = exp @ v / exp.sum()
    return out
