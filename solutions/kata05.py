"""Kata 05: Fine until it was trained.

The fault
    A blocked score was lowered by 1e9, not by infinity. Scores can be that large: a blocked score
    far above 1e9 stays on top, and so does any blocked score next to allowed ones that are more
    than 1e9 lower. No finite number is low enough, not even the lowest.

Why it hides
    exp(-1e9) is exactly zero, so with scores of ordinary size the weights are bit for bit the same
    as with -inf. It takes large activations, not a large data set, to see a difference.

Seen in
    TransformerLensOrg/TransformerLens#366: masked scores were set to -1e5; a Pythia model had
        scores below that and attended outside its mask.
    TransformerLensOrg/TransformerLens#385: in one head the allowed scores were near -110200; the
        masked ones, at -100000, took all the weight of the row.
    flashinfer-ai/flashinfer#4267: the constant for infinity was 5e4; where every score of a row
        was below -5e4 the output was a row of zeros.

How to catch it
    assert (attention(1e5 * q, 1e5 * k, v, keep)[1][~keep] == 0).all()

In PyTorch
    `masked_fill` takes whatever number it is given. In float16, -1e9 raises an error because it
    does not fit; in float32 it fits and fails only when scores grow. A bool mask given to
    `scaled_dot_product_attention` has no such constant.

    >>> scores, blocked = torch.tensor([-4e9, 6e9]), torch.tensor([False, True])
    >>> F.softmax(scores.masked_fill(blocked, -1e9), -1)
    tensor([0., 1.])
    >>> F.softmax(scores.masked_fill(blocked, -torch.inf), -1)
    tensor([1., 0.])
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.mT / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
