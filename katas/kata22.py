"""Kata 22: Asking someone else.

Symptom
    The tokens of a caption attend to the patches of an image and to each other. One image at a
    time, every caption is right. In a batch, where smaller images are padded with blank patches,
    captions describe the padding and lose track of what was already said.

Reproduce
    >>> x, memory = np.array([[[3.0]]]), np.array([[[1.0], [5.0], [99.0]]])
    >>> keep = np.array([[True, True, False]])
    >>> zero, one = np.zeros((1, 1)), np.eye(1)
    >>> cross_attention(x, memory, keep, zero, one, one, one, 1).round(6).tolist()
    [[[3.0]]]

Contract
    cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H) -> out
        x           (B, Tq, E)  caption tokens, float64: they provide the queries
        memory      (B, Tk, E)  image patches
        keep        (B, Tk)     bool: True where the memory may be attended to
        Wq, Wk, Wv  (E, H * D)  query, key and value projections; columns h * D to (h + 1) * D
                                belong to head h
        Wo          (H * D, E)  output projection, applied to the concatenated heads
        H           int         number of heads; H * D may differ from E
        out         (B, Tq, E)  an output for each token of x
    Each token of x attends to every token of x in its batch item, itself included, and to the
    memory tokens of that item that `keep` allows (possibly none). The output of a head is the mean
    of all their values under a single softmax of q . k / sqrt(D). Keys and values of x and memory
    use the same Wk and Wv. All inputs lie between -1e6 and 1e6, as do |x| @ |Wq|, |tokens| @ |Wk|
    and |tokens| @ |Wv| for x and memory, and |q| . |k| / sqrt(D). Only blocked memory and its
    values may lie beyond: they are finite, as is everything computed from them, and do not affect
    the output. All arrays but keep are float64. All sizes are at least one. Inputs are read-only;
    results are new arrays.
"""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape
    source = np.concatenate([x, memory], axis=1)  # (B, Tq + Tk, E)
    q, k, v = split(x @ Wq, H), split(source @ Wk, H), split(source @ Wv, H)
    scores = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tq + Tk)
    blocked = ~readable(keep, Tq)
    weights = softmax(np.where(blocked[:, None, None, :], -np.inf, scores))
    heads = weights @ v  # (B, H, Tq, D)
    return heads.swapaxes(1, 2).reshape(B, Tq, -1) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def readable(keep, Tq):
    """The memory mask, joined with a mask that allows all Tq tokens of x."""
    own = np.ones((keep.shape[0], Tq), dtype=bool)
    return np.concatenate([keep, own], axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    peak = np.max(scores, axis=-1, keepdims=True)
    exp = np.exp(scores - peak)
    return exp / exp.sum(axis=-1, keepdims=True)
