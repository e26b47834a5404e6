"""The reference, with asserts for its contract."""

import numpy as np


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def check(x, Wq, Wk, Wv):
    """Assert what the contract says of the inputs."""
    E, D = Wq.shape
    assert x.shape[-1] == E == len(Wv)
    assert Wk.shape == (E, D)
    assert min(x.size, Wq.size, Wv.size) >= 1
    assert all(array.dtype == np.float64 for array in (x, Wq, Wk, Wv))
    assert all(abs(array).max() <= 1e6 for array in (x, Wq, Wk, Wv))
    assert all((abs(x) @ abs(W)).max() <= 1e6 for W in (Wq, Wk, Wv))
    scores = abs(x @ Wq) @ abs(x @ Wk).swapaxes(-1, -2) / np.sqrt(D)
    assert scores.max() <= 1e6 * (1 + 1e-12)


def causal_attention(x, Wq, Wk, Wv):
    check(x, Wq, Wk, Wv)
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (..., T, T)
    T = x.shape[-2]
    keep = np.tril(np.ones((T, T), dtype=bool))
    weights = softmax(np.where(keep, scores, -np.inf))
    return weights @ v, weights
