"""Kata 02: Shares of what?

The fault
    The softmax ran over the queries. Each key handed out a whole of one among those who asked,
    where each query is to share a whole of one among the keys.

Why it hides
    No shape changes, every weight lies between zero and one, and with as many queries as keys
    even the sum of all weights is right. Models train with it all the same.

Seen in
    labmlai/annotated_deep_learning_paper_implementations#146: a diffusion U-Net normalised over
    its queries; a big bug to its author, and yet the reporter's retrained models scored the same.
    nerminnuraydogan/vision-transformer#1: a tutorial's notebook; confirmed a year later.
    PetrochukM/PyTorch-NLP#2: shares of an axis that was one long, so that every weight was 1.

How to catch it
    assert np.allclose(weights.sum(axis=-1), 1)  # with Tq and Tk different
"""

import numpy as np


def softmax(x, axis):
    """Shares along one axis, together one."""
    exp = np.exp(x - x.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...td,...sd->...ts", q, k) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores, axis=-1)
    return np.einsum("...ts,...sv->...tv", weights, v), weights
