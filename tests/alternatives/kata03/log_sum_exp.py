"""Weights are exp of normalised log weights."""

import numpy as np


def log_sum_exp(scores):
    top = scores.max(axis=-1, keepdims=True)
    return top + np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))


def attention(q, k, v, keep):
    scores = q @ np.moveaxis(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    weights = np.exp(scores - log_sum_exp(scores))
    return weights @ v, weights
