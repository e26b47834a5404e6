"""Kata 18: Three in one.

Symptom
    Weights were converted from another library, which packs them as described in the contract. A
    model with one head gives the same outputs here as there. A model with sixteen heads writes
    grammatical text about something else, although a model of that size trained here does well.

Reproduce
    >>> x = np.array([[[1.0], [3.0]]])
    >>> Wqkv = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 10.0]])
    >>> self_attention(x, Wqkv, np.ones((2, 1)), 2).round(6).tolist()
    [[[22.0], [22.0]]]

Contract
    self_attention(x, Wqkv, Wo, H) -> out
        x     (B, T, E)        tokens, float64
        Wqkv  (E, H * 3 * D)   query, key and value projections: columns 3 * D * h to
                               3 * D * (h + 1) belong to head h, the first D to its query, the next
                               D to its key, the last D to its value
        Wo    (H * D, E)       output projection, applied to the concatenated heads; rows D * h to
                               D * (h + 1) belong to head h
        H     int              number of heads; H * D may differ from E
        out   (B, T, E)        for each token, its concatenated heads times Wo
    The output of head h for a token is the weighted mean of the values of head h. The weights are
    the softmax of q . k / sqrt(D) over all tokens of the same batch item, the token itself
    included, and sum to one. All inputs lie between -1e6 and 1e6, as do |x| @ |Wqkv| and
    |q| . |k| / sqrt(D). All arrays are float64. All sizes are at least one. Inputs are read-only;
    results are new arrays.
"""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, 3, H, -1)
    q, k, v = packed.transpose(2, 0, 3, 1, 4)  # each (B, H, T, D)
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exp = np.exp(shifted)
    return exp / exp.sum(axis=-1, keepdims=True)
