"""Random inputs from the whole domain of kata 03."""

import numpy as np

SCALES = [0.0, 1e-3, 1.0, 5.0, 30.0, 300.0]


def draw(rng):
    lead = tuple(rng.integers(1, 4, size=rng.integers(0, 4)))
    Tq, Tk, D, Dv = rng.integers(1, 7, size=4) if rng.random() < 0.7 else [rng.integers(1, 5)] * 4
    q, k, v = (rng.normal(size=(*lead, *s)) for s in ((Tq, D), (Tk, D), (Tk, Dv)))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    if rng.random() < 0.3:
        q, k = q.round(), k.round()  # ties
    keep = rng.random((*lead, Tq, Tk)) < rng.choice([0.0, 0.3, 0.7, 1.0])
    np.put_along_axis(keep, rng.integers(Tk, size=(*lead, Tq, 1)), True, axis=-1)
    for axis in range(keep.ndim - 1):
        if rng.random() < 0.2:
            keep = keep.take([0], axis=axis)
    while keep.ndim > 1 and keep.shape[0] == 1 and rng.random() < 0.5:
        keep = keep[0]
    read = np.broadcast_to(keep, (*lead, Tq, Tk)).any(axis=-2)[..., None]
    return q, k, np.where(read, v, rng.choice([0.0, -1e300, 1e300])), keep


def ask(subject, *inputs):
    return subject.attention(*inputs)
