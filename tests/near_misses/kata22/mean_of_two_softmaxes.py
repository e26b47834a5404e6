"""Memory and x have separate softmaxes, and their outputs are averaged."""

import numpy as np


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    B, Tq, _ = x.shape
    q, k, v = split(x @ Wq, H), split(x @ Wk, H), split(x @ Wv, H)
    asked, said = split(memory @ Wk, H), split(memory @ Wv, H)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    others = q @ asked.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    others = np.where(keep[:, None, None, :], others, -1e9)
    heads = (softmax(scores) @ v + softmax(others) @ said) / 2  # (B, H, Tq, D)
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
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
