"""Kata 01: Scores for every pair.

The fault
    The keys were not transposed. A matrix product pairs rows with columns, so each query was
    multiplied by a column of k (one feature of every key) instead of a row (one whole key).
    For what the matrix product saves, see `python -m checker show loops`.

Why it hides
    With as many keys as features the product runs and has the right shape, the softmax makes
    every row sum to one, and if k is symmetric (a scaled identity, say) even the numbers are right.

Seen in
    heykeetae/Self-Attention-GAN#11: the weights went through a permute(0, 1, 2), which moves
        nothing, before the product with the values; it ran because the map was square.
    HsiaoYetGun/ESIM#5: a related mistake, a transpose without an axis order, which reverses all
        axes, the batch axis included.
    flrngel/Self-Attentive-tensorflow#3: a reader suspected the same, but that transpose was right:
        it was applied to one batch item at a time.

How to catch it
    assert np.isclose(scores[1, 2], q[1] @ k[2] / np.sqrt(D))  # with Tk and D different

In PyTorch
    Write `k.mT`, or `k.transpose(-2, -1)`. `k.T` is for matrices only: with more axes it reverses
    them all, the batch axis included, and warns once.

    >>> q = k = torch.eye(3)[[1, 2, 0]]
    >>> (q @ k).argmax(-1)  # each token should match itself
    tensor([2, 0, 1])
    >>> (q @ k.mT).argmax(-1)
    tensor([0, 1, 2])
"""

import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = exp / np.sum(exp, axis=-1, keepdims=True)
    return weights @ v, weights
