"""The weights are written into a buffer that the next call with the same shape overwrites."""

import numpy as np

BUFFERS = {}


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    q, k, v = (np.einsum("bte,ehd->bthd", x, W) for W in (Wq, Wk, Wv))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    weights = BUFFERS.setdefault(scores.shape, np.empty(scores.shape))
    weights[...] = softmax(scores)
    heads = np.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, T, H, Dv)
    return np.einsum("bqhd,hde->bqe", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
