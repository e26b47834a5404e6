"""Random inputs from the whole domain of kata 08, for each of its three functions."""

import numpy as np

SCALES = [0.0, 1e-3, 1.0, 5.0, 30.0, 300.0]


def draw(rng):
    B, Tq, Tk, D, Dv = (
        rng.integers(1, 7, size=5) if rng.random() < 0.7 else [rng.integers(1, 5)] * 5
    )
    q, k, v = (rng.normal(size=s) for s in ((B, Tq, D), (B, Tk, D), (B, Tk, Dv)))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    lengths = rng.integers(1, Tk + 1, size=B)
    keep = rng.random((B, Tq, Tk)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    np.put_along_axis(keep, rng.integers(Tk, size=(B, Tq, 1)), True, axis=-1)
    for axis in 0, 1:
        if rng.random() < 0.2:
            keep = keep.take([0], axis=axis)
    words = np.arange(Tk) < lengths[:, None]  # (B, Tk)
    read = np.broadcast_to(keep, (B, Tq, Tk)).any(axis=1)
    bomb = rng.choice([0.0, -1e300, 1e300])
    bombed = [np.where(mask[..., None], v, bomb) for mask in (read, words)]
    return q, k, bombed, keep.astype(rng.choice(["bool", "int64", "uint8"])), lengths


def ask(subject, q, k, bombed, keep, lengths):
    blocked = subject.blocked_from_lengths(lengths, k.shape[1] + 2)
    masked = subject.attention(q, k, bombed[0], keep)
    return np.where(blocked, 1.0, 0.0), *masked, *subject.padded_attention(q, k, bombed[1], lengths)
