"""Kata 24: The first step.

Symptom
    With one head the layer learns from the first step. With eight heads and the same model size,
    the loss stays flat for a long time: even before training, tokens give most of their weight in
    each head to a single token, and this changes slowly.

Reproduce
    >>> x = np.random.default_rng(1).normal(size=(1, 50, 64))
    >>> _, weights = multi_head_attention(x, *init_projections(64, 8, 0))
    >>> float(weights.max(axis=-1).mean().round(1))
    0.1

Contract
    init_projections(E, H, seed) -> Wq, Wk, Wv, Wo, bq, bk, bv, bo
        E, H        int        model size and number of heads; D = E / H is a whole number
        seed        int        0 to 2**31 - 1
        Wq, Wk, Wv  (H, E, D)  one matrix per head, all random, float64
        Wo          (E, E)     random; rows h * D to (h + 1) * D belong to head h
        bq, bk, bv  (H, D)     zeros, float64
        bo          (E,)       zeros
    These are 4 E^2 + 4 E numbers, whatever H. The numbers of the four matrices are drawn
    independently from one normal or uniform distribution (which one, and the generator, are up to
    you) with mean zero and variance 1 / E, whatever H: multiplying by a matrix preserves the
    scale. A seed gives the same numbers each time; no number is reused, within a seed or across
    seeds of the same E and H.

    multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo) -> out, weights
        x        (B, T, E)     tokens, float64; the others as above, but with any numbers
        out      (B, T, E)     for each token, its concatenated heads times Wo, plus bo
        weights  (B, H, T, T)  softmax of q . k / sqrt(D) over the tokens of the same batch item
    The queries of head h are x times Wq[h], plus bq[h]; keys and values likewise. The output of a
    head for a token is the mean of the head's values under the token's weights. All inputs lie
    between -1e6 and 1e6, as do |x| times |W| plus |b| for queries, keys and values, and
    |q| . |k| / sqrt(D). All arrays are float64. All sizes are at least one. Inputs are read-only;
    results are new arrays.
"""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, H, E, D) for _ in range(3)]
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E), *biases, np.zeros(E)


def draw(rng, *shape):
    """Random matrices; multiplying by one preserves the scale of a token."""
    return rng.normal(size=shape) / np.sqrt(shape[-1])


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    tokens = x[:, None]  # (B, 1, T, E)
    q = tokens @ Wq + bq[:, None]  # (B, H, T, D)
    k = tokens @ Wk + bk[:, None]
    v = tokens @ Wv + bv[:, None]
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))
    heads = weights @ v
    return heads.swapaxes(1, 2).reshape(x.shape) @ Wo + bo, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    peak = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - peak)
    return exp / exp.sum(axis=-1, keepdims=True)
