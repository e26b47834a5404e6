"""Random inputs from the whole domain of kata 16."""

import numpy as np

WILD = [np.nan, np.inf, -np.inf, 1e300, -1e-300, 0.0]


def draw(rng):
    B, H, S, D, Dv = rng.integers(1, 6, size=5) if rng.random() < 0.7 else [rng.integers(1, 5)] * 5
    scale = rng.choice([0.0, 1.0, 300.0])
    q, keys = scale * rng.normal(size=(B, H, D)), scale * rng.normal(size=(B, H, S, D))
    values = rng.normal(size=(B, H, S, Dv)) * rng.choice([1.0, 1e5])
    lengths = rng.integers(1, S + 1, size=B)
    for buffer in keys, values:
        if scale < 300.0 and rng.random() < 0.2:  # the caller's NaN, weight above 0
            buffer[0, -1, lengths[0] - 1, 0] = np.nan
        rest = np.broadcast_to(np.arange(S)[:, None] >= lengths[:, None, None, None], buffer.shape)
        buffer[rest] = rng.choice(rng.choice(WILD, size=2), size=rest.sum())
    return q, keys, values, lengths


def ask(subject, *inputs):
    out = subject.decode(*inputs)
    return np.where(np.isnan(out), 0.0, out), np.isnan(out) * 1.0
