"""Random inputs from the whole domain of kata 14."""

import numpy as np


def draw(rng):
    B, H, T, D, Dv = rng.integers(1, 6, size=5) if rng.random() < 0.7 else [rng.integers(1, 5)] * 5
    if rng.random() < 0.5:  # exact scores of any size
        q, k = np.ones((B, H, T, 1)), rng.choice([0.0, 1.0, -700.0, 1e6, -1e6], size=(B, H, T, 1))
    else:
        q, k = rng.normal(size=(2, B, H, T, D)) * rng.choice([0.0, 0.1, 1.0])
    v = rng.normal(size=(B, H, T, Dv))
    keep = rng.random((B, T)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    left = np.arange(T) >= rng.integers(0, T + 1, size=(B, 1))
    v = np.where(keep[:, None, :, None], v, rng.choice([0.0, -1e38, 1e38]))
    q, k, v = (array.astype(np.float32) for array in (q, k, v))
    return q, k, v, keep & left if rng.random() < 0.7 else keep


def ask(subject, *inputs):
    return subject.masked_attention(*inputs)
