"""Weights are exp of normalised log weights; queries are scaled instead of scores."""

import numpy as np


def log_sum_exp(scores):
    top = scores.max(axis=-1, keepdims=True)
    return top + np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    D = Wv.shape[-1] // H
    q, k, v = (np.stack(np.split(x @ W, H, axis=-1), axis=1) for W in (Wq, Wk, Wv))
    scores = (q / np.sqrt(D)) @ np.moveaxis(k, -1, -2)
    heads = np.exp(scores - log_sum_exp(scores)) @ v  # (B, H, T, D)
    return np.concatenate(list(heads.swapaxes(0, 1)), axis=-1) @ Wo
