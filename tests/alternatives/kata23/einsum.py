"""No copies: the einsum letters g and r stand for the group and the head within it."""

import numpy as np


def grouped_query_attention(q, k, v):
    B, H, Tq, D = q.shape
    G = k.shape[1]
    grouped = q.reshape(B, G, H // G, Tq, D)
    scores = np.einsum("bgrqd,bgkd->bgrqk", grouped, k) / np.sqrt(D)
    out = np.einsum("bgrqk,bgkv->bgrqv", softmax(scores), v)
    return out.reshape(B, H, Tq, v.shape[-1])


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
