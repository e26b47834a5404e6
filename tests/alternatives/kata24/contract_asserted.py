"""The reference, with asserts for its contract."""

import numpy as np


def init_projections(E, H, seed):
    assert isinstance(E, int)
    assert isinstance(H, int)
    assert isinstance(seed, int)
    assert E >= 1
    assert E % H == 0
    assert 0 <= seed < 2**31
    rng, D = np.random.default_rng(seed), E // H
    into = [draw(rng, H, E, D) for _ in range(3)]
    biases = [np.zeros((H, D)) for _ in range(3)]
    return *into, draw(rng, E, E), *biases, np.zeros(E)


def draw(rng, *shape):
    """Random matrices; multiplying by one preserves the scale of a token."""
    return rng.normal(size=shape) / np.sqrt(shape[-2])


def check(x, *arrays):
    """Assert what the contract says of the inputs of the attention."""
    (Wq, Wk, Wv, Wo, bq, bk, bv, bo), (H, E, D) = arrays, arrays[0].shape
    assert x.shape[2:] == (E,)
    assert H * D == E
    assert Wq.shape == Wk.shape == Wv.shape
    assert bq.shape == bk.shape == bv.shape == (H, D)
    assert Wo.shape == (E, *bo.shape) == (E, E)
    assert x.size >= 1
    assert all(array.dtype == np.float64 for array in (x, *arrays))
    assert all(abs(array).max() <= 1e6 for array in (x, *arrays))
    for W, b in ((Wq, bq), (Wk, bk), (Wv, bv)):
        assert (abs(x)[:, None] @ abs(W) + abs(b)[:, None]).max() <= 1e6
    q, k = (x[:, None] @ W + b[:, None] for W, b in ((Wq, bq), (Wk, bk)))
    q, k = np.linalg.norm(q, axis=-1), np.linalg.norm(k, axis=-1)
    assert (q[..., None] * k[..., None, :]).max() <= 1e6 * np.sqrt(D) * (1 + 1e-12)


def multi_head_attention(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo):
    check(x, Wq, Wk, Wv, Wo, bq, bk, bv, bo)
    tokens = x[:, None]  # (B, 1, T, E)
    q = tokens @ Wq + bq[:, None]  # (B, H, T, D)
    k = tokens @ Wk + bk[:, None]
    v = tokens @ Wv + bv[:, None]
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    heads = weights @ v
    return heads.swapaxes(1, 2).reshape(x.shape) @ Wo + bo, weights


def softmax(scores):
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)
