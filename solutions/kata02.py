"""Kata 02: An average above the maximum.

The fault
    The softmax ran over the queries. Each key distributed a total weight of one over the queries,
    but each query must distribute a total weight of one over the keys.

Why it hides
    No shape changes, every weight lies between zero and one, and with as many queries as keys
    even the sum of all weights is right. Models still train with it.

Seen in
    labmlai/annotated_deep_learning_paper_implementations#146: a diffusion U-Net normalised over
        its queries; its author called it a big bug, yet the reporter's models scored no better
        when trained without it.
    nerminnuraydogan/vision-transformer#1: a tutorial notebook; confirmed almost a year later.
    PetrochukM/PyTorch-NLP#2: the softmax ran over the first axis; in the reported example its
        length was one, so every weight was 1.

How to catch it
    assert np.allclose(weights.sum(axis=-1), 1)  # with Tq and Tk different

In PyTorch
    Always pass `dim`. Without it `softmax` guesses, and in a tensor with three axes it takes the
    first, which is the batch. It only warns, and in a batch of one every weight is then 1.

    >>> scores = torch.zeros(1, 2, 4)  # (B, Tq, Tk)
    >>> F.softmax(scores).sum(-1)
    tensor([[4., 4.]])
    >>> F.softmax(scores, dim=-1).sum(-1)
    tensor([[1., 1.]])
"""

import numpy as np


def softmax(x, axis):
    """Weights along one axis; they sum to one."""
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
