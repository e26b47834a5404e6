"""Kata 23: Asking someone else.

Symptom
    The words of a caption look at the patches of a picture, and at one another. One picture at a
    time, every caption is right. In a batch, where smaller pictures are filled up with blank
    patches, captions speak of the blank, and forget what they have said already.

Reproduce
    >>> x, memory = np.array([[[3.0]]]), np.array([[[1.0], [5.0], [99.0]]])
    >>> keep = np.array([[True, True, False]])
    >>> zero, one = np.zeros((1, 1)), np.eye(1)
    >>> cross_attention(x, memory, keep, zero, one, one, one, 1).round(6).tolist()
    [[[3.0]]]

Contract
    cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H) -> out
        x           (B, Tq, E)  tokens that ask, float64
        memory      (B, Tk, E)  tokens that they ask, beside themselves
        keep        (B, Tk)     bool: True where the memory may be read
        Wq, Wk, Wv  (E, H * D)  make a query, a key and a value of a token; columns h * D to
                                (h + 1) * D belong to head h
        Wo          (H * D, E)  makes an answer of what the heads say, side by side
        H           int         number of heads; H * D may be another number than E
        out         (B, Tq, E)  an answer for every token of x
    A token of x reads all tokens of x in its batch item, its own included, and those of the
    item's memory that `keep` allows, be it none. What head h says is the mean of all their values
    under one softmax of q . k / sqrt(D). Keys and values of both kinds are made by the same Wk and
    Wv. Every score lies between -1e6 and 1e6, one of a blocked token too, and so does every number
    that is read. What stands in memory where it may not be read is finite, with all that is made
    of it, and changes nothing. All sizes are one or more. Inputs are left as they are.
"""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape
    source = np.concatenate([x, memory], axis=1)  # (B, Tq + Tk, E)
    q, k, v = split(x @ Wq, H), split(source @ Wk, H), split(source @ Wv, H)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tq + Tk)
    blocked = ~readable(keep, Tq)
    weights = softmax(np.where(blocked[:, None, None, :], -np.inf, scores))
    heads = weights @ v  # (B, H, Tq, D)
    return heads.swapaxes(1, 2).reshape(B, Tq, -1) @ Wo


def split(tokens, H):
    """One array of tokens for each head."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def readable(keep, Tq):
    """The mask of the memory, and that of Tq tokens which may all be read."""
    own = np.ones((keep.shape[0], Tq), dtype=bool)
    return np.concatenate([keep, own], axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
