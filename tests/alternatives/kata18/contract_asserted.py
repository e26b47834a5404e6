"""The reference, with asserts for its contract."""

import numpy as np


def check(x, Wqkv, Wo, H):
    """Assert what the contract says of the inputs."""
    width, E = Wo.shape
    assert x.shape[2:] == (E,)
    assert Wqkv.shape == (E, 3 * width)
    assert min(x.size, H) >= 1
    assert width >= H
    assert width % H == 0
    assert all(array.dtype == np.float64 for array in (x, Wqkv, Wo))
    assert all(abs(array).max() <= 1e6 for array in (x, Wqkv, Wo))
    assert (abs(x) @ abs(Wqkv)).max() <= 1e6
    packed = (x @ Wqkv).reshape(*x.shape[:2], H, 3, -1)
    q, k, _ = np.linalg.norm(packed, axis=-1).transpose(3, 0, 2, 1)
    scores = q[..., None] * k[..., None, :]
    assert scores.max() <= 1e6 * np.sqrt(width // H) * (1 + 1e-12)


def self_attention(x, Wqkv, Wo, H):
    check(x, Wqkv, Wo, H)
    B, T, _ = x.shape
    packed = (x @ Wqkv).reshape(B, T, H, 3, -1)
    q, k, v = packed.transpose(3, 0, 2, 1, 4)  # each (B, H, T, D)
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))  # (B, H, T, T)
    heads = (weights @ v).swapaxes(1, 2)  # (B, T, H, D)
    return heads.reshape(B, T, -1) @ Wo


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
