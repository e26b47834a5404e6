"""The output is written into a buffer that the next call with the same shape overwrites."""

import numpy as np

BUFFERS = {}


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    weights = softmax(q @ k.mT / np.sqrt(q.shape[-1]))  # (B, H, Tq, Tk)
    out = merge_heads(weights @ v)
    buffer = BUFFERS.setdefault(out.shape, np.empty(out.shape))
    buffer[...] = out
    return buffer, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def split_heads(x, H):
    """The features of each token, split by head."""
    B, T, _ = x.shape
    return x.reshape(B, T, H, -1).transpose(0, 2, 1, 3)  # (B, H, T, D)


def merge_heads(heads):
    """The features of all heads, concatenated in each token."""
    B, _, T, _ = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, -1)  # (B, T, H * D)
