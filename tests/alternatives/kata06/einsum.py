"""Einsum, scaled queries, division after the product with the values, results in Fortran order."""

import numpy as np


def attention(q, k, v, bias):
    scores = np.einsum("...td,...sd->...ts", q / np.float32(np.sqrt(q.shape[-1])), k) + bias
    exp = np.exp(scores - np.amax(scores, -1)[..., None])
    total = np.einsum("...ts->...t", exp)[..., None]
    return np.asfortranarray(np.einsum("...ts,...sv->...tv", exp, v) / total), exp / total
