"""Kata 05: Almost minus infinity.

The fault
    A blocked score was lowered by 1e9, not by infinity. That is a size which scores can reach: a
    blocked score far above it stays on top, and so does any blocked score beside readable ones
    that lie more than 1e9 lower. No finite number is low enough, not even the lowest.

Why it hides
    exp(-1e9) is exactly zero, so with scores of ordinary size the weights have the very same
    bits as with -inf. It takes large activations, not a large data set, to see a difference.

Seen in
    TransformerLensOrg/TransformerLens#366: masked scores were set to -1e5, a Pythia model had
    scores below that and looked outside its mask.
    TransformerLensOrg/TransformerLens#385: one head of it, readable scores near -110200; the
    masked ones, at -100000, shared the whole row.
    flashinfer-ai/flashinfer#4267: the constant for infinity was 5e4; where every score of a row
    lay below -5e4 the answer was a row of zeros.

How to catch it
    assert (attention(1e5 * q, 1e5 * k, v, keep)[1][~keep] == 0).all()
"""

import numpy as np


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    bias = np.where(keep, 0.0, -np.inf)
    weights = softmax(scores + bias)
    return weights @ v, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
