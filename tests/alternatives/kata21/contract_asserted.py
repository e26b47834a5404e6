"""The reference, with asserts for its contract."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(x, Wq, Wk, Wv, Wo, H):
    """Assert what the contract says of the inputs."""
    E, width = Wq.shape
    assert x.shape[2:] == (E,)
    assert Wq.shape == Wk.shape == Wv.shape == Wo.shape[::-1]
    assert min(x.size, H) >= 1
    assert width >= H
    assert width % H == 0
    assert all(array.dtype == np.float64 for array in (x, Wq, Wk, Wv, Wo))
    assert all(abs(array).max() <= 1e6 for array in (x, Wq, Wk, Wv, Wo))
    assert all((abs(x) @ abs(W)).max() <= 1e6 for W in (Wq, Wk, Wv))
    q, k = (np.linalg.norm(split(x @ W, H), axis=-1) for W in (Wq, Wk))
    scores = q[..., None] * k[..., None, :]
    assert scores.max() <= 1e6 * np.sqrt(width // H) * (1 + 1e-12)


def causal_attention(x, Wq, Wk, Wv, Wo, H):
    check(x, Wq, Wk, Wv, Wo, H)
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    keep = np.tri(scores.shape[-1], dtype=bool)
    weights = softmax(np.where(keep, scores, -np.inf))
    return merge(weights @ v) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    each = tokens.reshape(*tokens.shape[:2], H, -1)
    return each.transpose(1, 2, 0, 3)  # (B, H, T, D)


def merge(heads):
    """Concatenate the heads of each token."""
    each = heads.transpose(2, 0, 1, 3)  # (T, B, H, D)
    return each.reshape(*each.shape[:2], -1)
