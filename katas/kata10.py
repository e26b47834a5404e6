"""Kata 10: In bad company.

Symptom
    Asked one request at a time, the model never fails. In a busy hour, when requests share a
    batch, some answers come back as nan; sent again later, the same requests are answered well.

Reproduce
    >>> quiet, loud = np.ones((3, 4)), np.full((3, 4), 30.0)
    >>> batch = np.stack([quiet, loud])
    >>> attention(batch, batch, batch)[:, 0, 0].round(6).tolist()
    [1.0, 30.0]

Contract
    softmax(scores) -> weights
        scores   (..., Tk)      any leading axes, or none: a row for each place in them
        weights  (..., Tk)      exp of each score as a share of its row's: a row sums to one
    attention(q, k, v) -> out
        q        (..., Tq, D)   queries
        k        (..., Tk, D)   keys
        v        (..., Tk, Dv)  values
        out      (..., Tq, Dv)  for each query, the mean of the values under its weights, which are
                                the softmax of q . k / sqrt(D) over the keys
    Every array is float64, given or returned. Every number and every score lies between -1e6 and
    1e6; the scores of one call lie close together or anywhere within these bounds. The leading
    axes of q, k and v are the same: none, one or several. All sizes are one or more. Inputs are
    left as they are.
"""

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])  # (..., Tq, Tk)
    weights = softmax(scores)
    return weights @ v


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    highest = scores.max()  # exp of what lies below cannot overflow
    exp = np.exp(scores - highest)
    return exp / exp.sum(axis=-1, keepdims=True)
