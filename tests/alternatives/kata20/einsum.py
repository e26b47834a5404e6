"""Moves the axes with einsum."""

import numpy as np


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, E = x.shape
    D = E // H
    return np.einsum("bthd->bhtd", x.reshape(B, T, H, D))


def merge_heads(heads):
    """The inverse of `split_heads`."""
    B, _, T, _ = heads.shape
    return np.einsum("bhtd->bthd", heads).reshape(B, T, -1)


def attention(q, k, v, H):
    q, k, v = (x.reshape(*x.shape[:2], H, -1) for x in (q, k, v))
    weights = softmax(np.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5)
    out = np.einsum("bhqk,bkhd->bqhd", weights, v)
    return out.reshape(*out.shape[:2], -1), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
