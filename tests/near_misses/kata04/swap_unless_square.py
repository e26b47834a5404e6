"""The head and token axes are not swapped when H = T."""

import numpy as np


def split(tokens, H):
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)


def softmax(scores):
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    heads = weights @ v
    B, T, _ = x.shape
    if heads.shape[1] != T:
        heads = heads.swapaxes(1, 2)
    return heads.reshape(B, T, -1) @ Wo
