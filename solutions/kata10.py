"""Kata 10: In bad company.

The fault
    The maximum of the whole array was subtracted, not the maximum of each row. That keeps exp from
    overflowing, which is what people test. But a row whose highest score is 746 or more below the
    overall maximum underflows to 0 / 0, and a row somewhat closer loses digits without becoming
    nan.
    For how many digits there are to lose, see `python -m checker show dtypes`.

Why it hides
    Single requests, or batches of similar ones, get the same weights with either maximum. The one
    that suffers is not the loud request but the quiet one next to it, which looks fine on a retry.

Seen in
    keras-team/keras#9606: the softmax for Theano was made stable with one maximum for the whole
        tensor; a comment after the merge asked for the maximum of each vector.
    HabanaAI/vllm-fork#280: paged attention subtracted the maximum of the whole batch, because it
        is cheap to find; the author noted that samples could now slightly affect each other.
    JuliaGraphs/GraphNeuralNetworks.jl#244: the first fix proposed for an overflow in graph
        attention used the maximum over all edges; the maintainer feared underflow instead.

How to catch it
    assert np.allclose(softmax(np.stack([row, row + 1000])), softmax(row))

In PyTorch
    `scores.max()` is one number. `scores.max(-1)` is a pair of values and indices, so that people
    drop the axis to get rid of an error; `amax` returns the values alone.

    >>> scores = torch.tensor([[0.0, 0.0], [900.0, 900.0]])
    >>> exp = (scores - scores.max()).exp(); exp / exp.sum(-1, keepdim=True)
    tensor([[   nan,    nan],
            [0.5000, 0.5000]])
    >>> exp = (scores - scores.amax(-1, keepdim=True)).exp(); exp / exp.sum(-1, keepdim=True)
    tensor([[0.5000, 0.5000],
            [0.5000, 0.5000]])
"""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max(axis=-1, keepdims=True)  # subtracted so that exp cannot overflow
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
