"""Kata 06: The long sentence.

The fault
    The exponentials were taken of the scores themselves. In float32, exp is inf from 88.8 on and
    zero below -104, so the division became inf / inf or 0 / 0. Weights depend only on how far a
    score lies below the largest of its row: that difference never overflows exp.

Why it hides
    While scores stay within some tens of zero the weights are right to the last digits, at every
    length. A bias that grows with the length carries them out of that range.

Seen in
    ggml-org/llama.cpp#2665: with a position bias of about 2000 at 4000 tokens the CUDA softmax
    gave NaN; the maximum of the row was not subtracted, as it was on the CPU.
    pytorch/executorch#18407: a score of 151 in one layer of Phi-4-mini, float32, turned the
    whole answer into NaN.
    FluxML/NNlib.jl#43: max(0, maximum) was subtracted, and two scores of -10000 failed.

How to catch it
    assert np.allclose(softmax(scores + 1000), softmax(scores), atol=1e-3)
"""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def attention(q, k, v, bias):
    scale = q.shape[-1] ** -0.5  # a Python float: a float32 array times it stays float32
    scores = scale * (q @ k.swapaxes(-1, -2)) + bias  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v, weights
