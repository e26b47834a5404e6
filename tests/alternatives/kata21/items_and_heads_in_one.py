"""Items and heads share one axis during attention."""

import numpy as np


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    T, B, _ = x.shape
    D = Wq.shape[1] // H
    q, k, v = ((x @ W).reshape(T, B * H, D).transpose(1, 0, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(0, 2, 1) * D**-0.5 + np.triu(np.full((T, T), -np.inf), k=1)
    weights = softmax(scores)  # (B * H, T, T)
    return (weights @ v).transpose(1, 0, 2).reshape(T, B, H * D) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
