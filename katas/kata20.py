"""Kata 20: Three in one.

Symptom
    Weights were brought over from another library, which packs them as the contract says. A model
    with one head gives the same answers here as there. One with sixteen writes good grammar about
    something else, although a model of that size that is trained here does well.

Reproduce
    >>> x = np.array([[[1.0], [3.0]]])
    >>> Wqkv = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 10.0]])
    >>> self_attention(x, Wqkv, np.ones((2, 1)), 2).round(6).tolist()
    [[[22.0], [22.0]]]

Contract
    self_attention(x, Wqkv, Wo, H) -> out
        x     (B, T, E)        tokens, float64
        Wqkv  (E, H * 3 * D)   makes queries, keys and values of every token: columns 3 * D * h to
                               3 * D * (h + 1) belong to head h, D of them for its query, the next
                               D for its key, the last D for its value
        Wo    (H * D, E)       makes an answer of what the heads say of a token; rows D * h to
                               D * (h + 1) belong to head h
        H     int              number of heads; H * D may be another number than E
        out   (B, T, E)        for each token, what its heads say, side by side, times Wo
    What head h says of a token is the mean of the values of head h under weights that sum to one:
    the softmax of q . k / sqrt(D) over all tokens of the same batch item, its own included. All
    sizes are one or more. Every number and every score lies between -1e6 and 1e6. Inputs are left
    as they are.
"""

import numpy as np


def self_attention(x, Wqkv, Wo, H):
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, 3, H, -1)
    q, k, v = packed.transpose(2, 0, 3, 1, 4)  # each (B, H, T, D)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
