"""All heads in one flat matrix, split and merged again."""

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    B, T, E = x.shape
    H = len(Wo)
    q, k, v = (
        (x @ W.reshape(E, -1)).reshape(B, T, H, -1).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv)
    )
    weights = softmax(np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(Wq.shape[2]))
    heads = np.matmul(weights, v).transpose(0, 2, 1, 3).reshape(B, T, -1)
    return heads @ Wo.reshape(-1, E), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
