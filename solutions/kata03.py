"""Kata 03: The mask that came late.

The fault
    The softmax ran over every key, blocked ones too, and only then were their weights set to
    zero. The share that they had taken was never given back to the keys that may be read.

Why it hides
    The zeros stand in the right places and the shapes are right. Without padding nothing is
    wrong, and with it every answer merely shrinks, which a layer norm behind it makes good.

Seen in
    huggingface/pytorch-image-models#2236: EVA's attention was right on the fused path; the plain
        one masked after its softmax, and the maintainer wondered how that had come about.
    lucidrains/memory-compressed-attention#2: the softmax stood above both masks, which filled the
        scores with plus infinity; a reader asked about either, and both were mended.

How to catch it
    assert np.allclose(weights.sum(axis=-1), 1)
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, keep):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
