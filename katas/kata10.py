"""Kata 10: In bad company.

Symptom
    When requests are sent one at a time, the model never fails. At busy times, when requests share
    a batch, some answers are nan. Sent again later, the same requests get good answers.

Reproduce
    >>> quiet, loud = np.ones((3, 4)), np.full((3, 4), 30.0)
    >>> batch = np.stack([quiet, loud])
    >>> attention(batch, batch, batch)[:, 0, 0].round(6).tolist()
    [1.0, 30.0]

Contract
    softmax(scores) -> weights
        scores   (..., Tk)      rows of scores, with any number of leading axes, or none
        weights  (..., Tk)      exp of each score, divided by the sum over its row, so that each
                                row sums to one
    attention(q, k, v) -> out
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        out      (..., Tq, Dv)  for each query, the mean of the values, weighted by the softmax of
                                q . k / sqrt(D) over the keys
    All arrays are float64. All numbers, scores included, lie between -1e6 and 1e6, as does
    |q| . |k| / sqrt(D); the scores of one call may be close together or anywhere in this range. q,
    k and v have the same leading axes: none, one or several. All sizes are at least one. Inputs are
    read-only; results are new arrays.
"""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max()  # subtracted so that exp cannot overflow
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
