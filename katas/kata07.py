"""Kata 07: Wider model, duller heads.

Symptom
    A head picks out the right token when it is the only head. Next to other heads, with the same
    queries, keys and values, it gets vaguer: the more heads, the more evenly it attends to all
    tokens.

Reproduce
    >>> q = np.log([[[3.0, 3.0]]])
    >>> k = np.array([[[0.0, 0.0], [1.0, 1.0]]])
    >>> multi_head_attention(q, k, 4 * k, 2).round(6).tolist()
    [[[3.0, 3.0]]]

Contract
    multi_head_attention(q, k, v, H) -> out
        q    (B, Tq, H * D)  queries of all heads; columns h * D to (h + 1) * D belong to head h,
                             here and below; all arrays are float64
        k    (B, Tk, H * D)  keys
        v    (B, Tk, H * D)  values
        H    int             number of heads; D is the size of one head
        out  (B, Tq, H * D)  for each query, the outputs of all heads, concatenated
    For each query, the output of head h is the mean of the values of head h, with weights that sum
    to one: the softmax of q . k / sqrt(D) over all keys of the same batch item, for the query and
    the keys of head h. All sizes are at least one. All inputs lie between -1e6 and 1e6, as does
    |q| . |k| / sqrt(D). Inputs are read-only; results are new arrays.
"""

import numpy as np


def split(x, H):
    """Split the last axis into heads."""
    B, T, E = x.shape
    return x.reshape(B, T, H, E // H).swapaxes(1, 2)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads along the last axis."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    peak = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - peak)
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, H):
    scale = q.shape[-1] ** -0.5
    q, k, v = (split(x, H) for x in (q, k, v))
    scores = scale * np.einsum("bhtd,bhsd->bhts", q, k)
    weights = softmax(scores)  # (B, H, Tq, Tk)
    return merge(np.einsum("bhts,bhsd->bhtd", weights, v))
