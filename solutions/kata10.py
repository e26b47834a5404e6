"""Kata 10: In bad company.

The fault
    What was taken off was the highest score of the whole array, not of each row. That keeps exp
    from overflowing, which is what one tests for. But a row that lies 745 or more below the
    highest of all underflows to 0 / 0, and one somewhat nearer loses its digits without a nan.

Why it hides
    One request alone, or several that are alike, give the same weights with either maximum. Who
    suffers is not the loud request but the quiet one beside it, which looks fine when tried again.

Seen in
    keras-team/keras#9606: the softmax for Theano was made stable with one maximum for the whole
    tensor; a comment after the merge asked for that of each vector.
    HabanaAI/vllm-fork#280: paged attention took off the maximum of the whole batch, as it is cheap
    to find; the author noted that a sample could now feel the others in its batch.
    JuliaGraphs/GraphNeuralNetworks.jl#244: an overflow in graph attention was first mended with
    the maximum over all edges; the maintainer foresaw underflow in place of overflow.

How to catch it
    assert np.allclose(softmax(np.stack([row, row + 1000])), softmax(row))
"""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max(axis=-1, keepdims=True)  # exp of what lies below cannot overflow
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
