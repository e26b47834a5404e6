"""Einsum, scaled queries, all in one function, results in Fortran order."""

import numpy as np


def attention(q, k, v, keep):
    scores = np.einsum("...td,...sd->...ts", q * q.shape[-1] ** -0.5, k)
    weights = np.exp(
        np.where(
            keep, scores - np.max(scores, -1, keepdims=True, where=keep, initial=-np.inf), -np.inf
        )
    )
    weights /= weights.sum(-1, keepdims=True)
    return np.asfortranarray(np.einsum("...ts,...sv->...tv", weights, v)), np.asfortranarray(
        weights
    )
