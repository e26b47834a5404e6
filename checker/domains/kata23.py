"""Random inputs from the whole domain of kata 23."""

import numpy as np


def draw(rng):
    sizes = rng.integers(1, 6, size=6) if rng.random() < 0.7 else [rng.integers(1, 4)] * 6
    B, Tq, Tk, H, D, E = (int(size) for size in sizes)
    x = rng.normal(size=(B, Tq, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    memory = rng.normal(size=(B, Tk, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    keep = rng.random((B, Tk)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    into = [rng.normal(size=(E, H * D)) * rng.choice([0.0, 0.1, 1.0, 10.0]) for _ in range(3)]
    if rng.random() < 0.3:
        x[..., 0] = into[0][0] = into[1][0] = 0.0  # not in any score; huge where blocked
        memory[..., 0] = np.where(keep, 0.0, rng.choice([-1e300, 1e200]))
        into[2] = np.clip(into[2], -1.0, 1.0)
    return x, memory, keep, *into, rng.normal(size=(H * D, E)), H


def ask(subject, *inputs):
    return subject.cross_attention(*inputs)
