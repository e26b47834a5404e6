"""Computes each token from the text up to it."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv):
    *lead, T, _ = x.shape
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    out, weights = np.zeros((*lead, T, v.shape[-1])), np.zeros((*lead, T, T))
    for t in range(T):
        past = slice(t + 1)
        scores = (k[..., past, :] * q[..., t : t + 1, :]).sum(axis=-1) / np.sqrt(k.shape[-1])
        exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights[..., t, past] = exp / exp.sum(axis=-1, keepdims=True)
        out[..., t, :] = np.einsum("...s,...sv->...v", weights[..., t, past], v[..., past, :])
    return out, weights
