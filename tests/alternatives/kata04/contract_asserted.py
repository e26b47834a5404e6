"""The reference, with asserts for its contract."""

import numpy as np


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


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
    q, k = (abs(split(x @ W, H)) for W in (Wq, Wk))
    assert (q @ k.swapaxes(-1, -2) / np.sqrt(width // H)).max() <= 1e6 * (1 + 1e-12)


def multi_head_attention(x, Wq, Wk, Wv, Wo, H):
    check(x, Wq, Wk, Wv, Wo, H)
    q, k, v = (split(x @ W, H) for W in (Wq, Wk, Wv))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = weights @ v  # (B, H, T, D)
    B, _, T, _ = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, -1) @ Wo
