"""Kata 04: Whose words are these?

Symptom
    With one head the layer is right. With two it still trains, only worse, and two words that read
    exactly the same things come away with different answers.

Reproduce
    >>> x = np.array([[[1.0, 10.0], [3.0, 30.0]]])
    >>> zero, one = np.zeros((2, 2)), np.eye(2)
    >>> multi_head_attention(x, zero, zero, one, one, 2).round(6).tolist()
    [[[2.0, 20.0], [2.0, 20.0]]]

Contract
    multi_head_attention(x, Wq, Wk, Wv, Wo, H) -> out
        x           (B, T, E)   tokens, float64
        Wq, Wk, Wv  (E, H * D)  make a query, a key and a value of every token; columns h * D to
                                (h + 1) * D belong to head h
        Wo          (H * D, E)  makes an answer of what the heads say of a token; rows h * D to
                                (h + 1) * D belong to head h
        H           int         number of heads; H * D may be another number than E
        out         (B, T, E)   for each token, what its heads say, side by side, times Wo
    What head h says of a token is the mean of the values of head h under weights that sum to one:
    the softmax of q . k / sqrt(D) over all tokens of the same batch item, its own included. All
    sizes are one or more. Every number and every score lies between -1e6 and 1e6. Inputs are left
    as they are.
"""

import numpy as np


def split(tokens, H):
    """One array of tokens for each head."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    B, _, T, _ = heads.shape
    return heads.reshape(B, T, -1) @ Wo
