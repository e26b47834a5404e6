"""Kata 24: The first step.

The fault
    The numbers were scaled by the output size of a matrix, not by its input size. In `tokens @ W`
    the last axis of W is the output and the one before it the input. A query is a sum of E
    products: with variance 1 / D instead of 1 / E its numbers have variance H, as do those of a
    key, and the scores start out H times too large.
    For what a softmax does with such scores, see `python -m checker show scale`.

Why it hides
    One head is as wide as the model, so both sizes are the same, and Wo is square for any number
    of heads. Otherwise all matrices have the right shapes and a mean of zero, and a model whose
    heads start out attending to one token does learn, only late.

Seen in
    pytorch/pytorch#129834: initial values are scaled for weights that are applied transposed;
        anyone who writes x @ w gets the two sizes swapped, and the documentation of the
        initialisers did not say so.
    clankur/einygpt#3: queries, keys and values were scaled by the head size instead of the model
        size, which blew up their variance.
    TransformerLensOrg/TransformerLens#518: weights were left as torch.empty makes them, without
        initial values; scores were so large that patterns focused on one token.

How to catch it
    assert abs(E * init_projections(E, H, seed=0)[0].var() - 1) < 0.2  # for H > 1, and E >= 64

In PyTorch
    `nn.Linear` stores (out, in), so the functions in `nn.init` take the last axis as input size.
    For a matrix of (in, out), used as `x @ W`, "fan_in" means the output size.

    >>> W, init = torch.empty(1024, 100), torch.nn.init.kaiming_normal_
    >>> f"{init(W, mode='fan_in', nonlinearity='linear').std():.2f}"  # 100**-0.5
    '0.10'
    >>> f"{init(W, mode='fan_out', nonlinearity='linear').std():.2f}"  # 1024**-0.5
    '0.03'
"""

import numpy as np


def init_projections(E, H, seed):
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, H, E, D) for _ in range(3)]
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E), *biases, np.zeros(E)


def draw(rng, *shape):
    """Random matrices; multiplying by one preserves the scale of a token."""
    return rng.normal(size=shape) / np.sqrt(shape[-2])


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
