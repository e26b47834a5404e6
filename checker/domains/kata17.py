"""Random inputs from the whole domain of kata 17."""

import numpy as np

SCALES = [0.0, 1e-3, 1.0, 5.0, 30.0, 300.0]


def draw(rng):
    B, H = rng.integers(1, 5, size=2)
    Tq, Tk, D, Dv = rng.integers(1, 7, size=4) if rng.random() < 0.7 else [rng.integers(1, 5)] * 4
    q, k, v = (rng.normal(size=(B * H, *s)) for s in ((Tq, D), (Tk, D), (Tk, Dv)))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    keep = rng.random((B, Tk)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    keep[np.arange(B), rng.integers(Tk, size=B)] = True
    read = keep.repeat(H, axis=0)[..., None]  # (B * H, Tk, 1)
    return q, k, np.where(read, v, rng.choice([0.0, -1e300, 1e300])), keep


def ask(subject, *inputs):
    return subject.attention(*inputs)
