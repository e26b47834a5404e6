"""Kata 24: The first step.

The fault
    The numbers were scaled by the size of what comes out of a matrix, not of what goes in. Of a
    matrix that stands right of its tokens those are the last axis and the one before it. A query
    is a sum of E products: with variance 1 / D in the place of 1 / E its numbers have variance H,
    those of a key too, and the scores begin H times too large.

Why it hides
    One head is as wide as the model, so both sizes are the same, and Wo is square with any number
    of heads. Elsewhere the matrices have all their shapes and a mean of zero, and a model that
    begins with its eyes on one word does learn, only late.

Seen in
    pytorch/pytorch#129834: initial values are scaled for weights that are applied transposed;
        whoever writes x @ w gets both sizes exchanged, and nothing says so.
    clankur/einygpt#3: queries, keys and values were scaled by the size of a head, which blew up
        their variance, where the size of the model was due.
    TransformerLensOrg/TransformerLens#518: weights that nobody had scaled gave scores so large
        that every pattern settled on one token.

How to catch it
    assert abs(E * init_projections(E, H, seed=0)[0].var() - 1) < 0.2  # for H > 1, and E >= 64
"""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, H, E, D) for _ in range(3)]
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E), *biases, np.zeros(E)


def draw(rng, *shape):
    """Random matrices; a token keeps its size on the way through one."""
    return rng.normal(size=shape) / np.sqrt(shape[-2])


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    tokens = x[:, None]  # (B, 1, T, E)
    q = tokens @ Wq + bq[:, None]  # (B, H, T, D)
    k = tokens @ Wk + bk[:, None]
    v = tokens @ Wv + bv[:, None]
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    heads = weights @ v
    return heads.swapaxes(1, 2).reshape(x.shape) @ Wo + bo, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
