"""Kata 01: Scores for every pair.

The fault
    The keys were not transposed. A product of matrices takes rows with columns, so each query
    met a column of k, one feature of every key, where it was to meet a row, one whole key.

Why it hides
    With as many keys as features the product runs and has the right shape, the softmax makes
    every row sum to one, and on a symmetric k (a scaled identity, say) even the numbers are right.

Seen in
    heykeetae/Self-Attention-GAN#11: the weights went through a permute(0, 1, 2), which moves
    nothing, before they met the values; a square map let the product run.
    HsiaoYetGun/ESIM#5, flrngel/Self-Attentive-tensorflow#3: the neighbouring slip, a transpose
    without its order, which turns all axes round and so takes the batch along.

How to catch it
    assert np.isclose(scores[1, 2], q[1] @ k[2] / np.sqrt(D))  # with Tk and D different
"""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return weights @ v, weights
