"""The reference, with asserts for its contract."""

import numpy as np


def check(x, memory, keep, Wq, Wk, Wv, Wo, H):
    """Assert what the contract says of the inputs."""
    B, _, E = x.shape
    width = Wq.shape[1]
    assert memory.shape == (*keep.shape, E)
    assert len(memory) == B
    assert (E, width) == Wq.shape == Wk.shape == Wv.shape == Wo.shape[::-1]
    assert min(x.size, memory.size, H) >= 1
    assert width >= H
    assert width % H == 0
    assert keep.dtype == bool
    assert all(array.dtype == np.float64 for array in (x, memory, Wq, Wk, Wv, Wo))
    attended = np.concatenate([x.reshape(-1, E), memory[keep]])
    assert all(abs(array).max() <= 1e6 for array in (attended, Wq, Wk, Wv, Wo))
    assert all((abs(attended) @ abs(W)).max() <= 1e6 for W in (Wk, Wv))
    assert (abs(x) @ abs(Wq)).max() <= 1e6
    assert (abs(memory) @ abs(Wk)).max() <= 1e6
    assert np.isfinite(abs(memory) @ abs(Wv)).all()
    source = np.concatenate([x, memory], axis=1)
    q, k = (np.linalg.norm(split(each, H), axis=-1) for each in (x @ Wq, source @ Wk))
    scores = q[..., None] * k[..., None, :]
    assert scores.max() <= 1e6 * np.sqrt(width // H) * (1 + 1e-12)


def cross_attention(x, memory, keep, Wq, Wk, Wv, Wo, H):
    check(x, memory, keep, Wq, Wk, Wv, Wo, H)
    B, Tq, _ = x.shape
    source = np.concatenate([memory, x], axis=1)  # (B, Tq + Tk, E)
    q, k, v = split(x @ Wq, H), split(source @ Wk, H), split(source @ Wv, H)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])  # (B, H, Tq, Tq + Tk)
    blocked = ~readable(keep, Tq)
    weights = softmax(np.where(blocked[:, None, None, :], -np.inf, scores))
    heads = weights @ v  # (B, H, Tq, D)
    return heads.swapaxes(1, 2).reshape(B, Tq, -1) @ Wo


def split(tokens, H):
    """Split the last axis into H heads."""
    B, T, _ = tokens.shape
    return tokens.reshape(B, T, H, -1).swapaxes(1, 2)  # (B, H, T, D)


def readable(keep, Tq):
    """The memory mask, joined with a mask that allows all Tq tokens of x."""
    own = np.ones((keep.shape[0], Tq), dtype=bool)
    return np.concatenate([keep, own], axis=1)


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
