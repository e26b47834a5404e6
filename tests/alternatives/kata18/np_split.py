"""np.split cuts the last axis into as many parts as there are heads."""

import numpy as np


def split_heads(x, H):
    """An axis for the heads, in front of the tokens."""
    return np.stack(np.split(x, H, axis=-1), axis=1)


def merge_heads(heads):
    """Undoes `split_heads`."""
    return np.concatenate(np.moveaxis(heads, 1, 0), axis=-1)


def attention(q, k, v, H):
    q, k, v = (split_heads(x, H) for x in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tk)
    weights = softmax(scores)
    return merge_heads(weights @ v), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
