"""Each head's output is right, but they are merged with the groups innermost."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G = k.shape[1]
    grouped = q.reshape(B, G, H // G, Tq, D)
    scores = np.einsum("bgrqd,bgkd->bgrqk", grouped, k) / np.sqrt(D)
    out = np.einsum("bgrqk,bgkd->brgqd", softmax(scores), v)
    return out.reshape(B, H, Tq, -1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
