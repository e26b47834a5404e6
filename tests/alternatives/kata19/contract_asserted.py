"""The reference, with asserts for its contract."""

import numpy as np


def check(x, Wq, Wk, Wv, Wo):
    """Assert what the contract says of the inputs."""
    E, H, D = Wq.shape
    assert x.shape[2:] == (E,)
    assert Wk.shape == Wq.shape
    assert Wv.shape == (E, H, Wo.shape[1])
    assert Wo.shape[::2] == (H, E)
    assert min(x.size, Wq.size, Wv.size) >= 1
    assert all(array.dtype == np.float64 for array in (x, Wq, Wk, Wv, Wo))
    assert all(abs(array).max() <= 1e6 for array in (x, Wq, Wk, Wv, Wo))
    assert all(np.tensordot(abs(x), abs(W), axes=1).max() <= 1e6 for W in (Wq, Wk, Wv))
    q, k = (np.linalg.norm(np.tensordot(x, W, axes=1), axis=-1) for W in (Wq, Wk))
    scores = q[:, :, None] * k[:, None]
    assert scores.max() <= 1e6 * np.sqrt(D) * (1 + 1e-12)


def multi_head_attention(x, Wq, Wk, Wv, Wo):
    check(x, Wq, Wk, Wv, Wo)
    q, k, v = (np.einsum("bte,ehd->bthd", x, W) for W in (Wq, Wk, Wv))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)  # (B, H, T, T)
    heads = np.einsum("bhqk,bkhd->bqhd", weights, v)  # (B, T, H, Dv)
    return np.einsum("bqhd,hde->bqe", heads, Wo), weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
