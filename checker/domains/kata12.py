"""Random inputs from the whole domain of kata 12."""

import numpy as np

SCALES = [0.0, 1e-3, 1.0, 10.0, 100.0]


def draw(rng):
    B, T, E, D, Dv = rng.integers(1, 7, size=5) if rng.random() < 0.7 else [rng.integers(1, 5)] * 5
    x = rng.normal(size=(B, T, E))
    Wq, Wk = (rng.normal(size=(E, D)) * rng.choice(SCALES) for _ in range(2))
    if rng.random() < 0.5:  # integers: exact scores, and ties
        x, Wq, Wk = (3 * x).round(), Wq.round(), Wk.round()
    keep = rng.random((B, T)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    return np.where(keep[..., None], x, 3 * x), keep, Wq, Wk, rng.normal(size=(E, Dv))


def ask(subject, *inputs):
    return subject.self_attention(*inputs)
