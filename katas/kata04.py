"""Kata 04: Two heads are worse than one.

Symptom
    With one head the layer is right. With two it still trains, but less well, and two tokens that
    attend to exactly the same things get different outputs.

Reproduce
    >>> x = np.array([[[1.0, 10.0], [3.0, 30.0]]])
    >>> zero, one = np.zeros((2, 2)), np.eye(2)
    >>> multi_head_attention(x, zero, zero, one, one, 2).round(6).tolist()
    [[[2.0, 20.0], [2.0, 20.0]]]

Contract
    multi_head_attention(x, Wq, Wk, Wv, Wo, H) -> out
        x           (B, T, E)   tokens; all arrays are float64
        Wq, Wk, Wv  (E, H * D)  projections to queries, keys and values; columns h * D to
                                (h + 1) * D belong to head h
        Wo          (H * D, E)  output projection; rows h * D to (h + 1) * D belong to head h
        H           int         number of heads; H * D may differ from E
        out         (B, T, E)   for each token, the concatenated outputs of its heads, times Wo
    The output of head h for a token is the weighted mean of the values of head h. The weights sum
    to one: they are the softmax of q . k / sqrt(D) over all tokens of the same batch item, the
    token itself included. All sizes are at least one. All inputs lie between -1e6 and 1e6, as do
    |x| @ |W| for Wq, Wk and Wv, and |q| . |k| / sqrt(D). Inputs are read-only; results are new
    arrays.
"""

import numpy as np


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(x):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(np.matmul(q, k.mT) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    B, _, T, _ = heads.shape
    return heads.reshape(B, T, -1) @ Wo
