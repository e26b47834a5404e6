"""Kata 20: The last word.

Symptom
    With two heads, the last word of a text has no effect on half of every output: we replace it,
    and those numbers stay the same to the last digit, although the attention maps of both heads
    show weight on it. With one head, every number changes.

Reproduce
    >>> q = k = np.zeros((2, 2, 2))  # two texts of two words, each read with equal weights
    >>> v = np.array([[[8.0, 8.0], [0.0, 0.0]], [[8.0, 8.0], [4.0, 6.0]]])
    >>> out, weights = attention(q, k, v, 2)
    >>> out[:, 0].round(6).tolist()
    [[4.0, 4.0], [6.0, 7.0]]

Contract
    attention(q, k, v, H) -> out, weights
        q        (B, Tq, H * D)   queries of all heads; all arrays are float64
        k        (B, Tk, H * D)   keys of all heads
        v        (B, Tk, H * Dv)  values of all heads; Dv may differ from D
        H        int              number of heads
        out      (B, Tq, H * Dv)  for each query and head, the mean of the values of that head,
                                  weighted by `weights`
        weights  (B, H, Tq, Tk)   softmax of q . k / sqrt(D) over all keys, for each head
    split_heads(x, H) -> heads
    merge_heads(heads) -> x
        x        (B, T, H * D)    tokens, such as q
        heads    (B, H, T, D)     the same numbers, head by head
    On an axis that holds all heads, columns h * D to (h + 1) * D belong to head h, in that order;
    in v and out these are columns h * Dv to (h + 1) * Dv. All sizes are at least one. All inputs
    lie between -1e6 and 1e6, as does |q| . |k| / sqrt(D). Inputs are read-only; out and
    weights are new arrays, heads and x may be views.
"""

import numpy as np


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, _ = x.shape
    return x.reshape(B, H, T, -1)  # (B, H, T, D)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, -1)  # (B, T, H * D)
