"""Random inputs from the whole domain of kata 06."""

import numpy as np

ADDED = [0.0, 88.0, -98.0, -110.0, 1e3, -1e3, 1e5]  # sums with multiples of 1/4 are exact
SCORES = [0.0, 1e30, -1e30, 3e38, -3e38, 1.1e30]


def draw(rng):
    lead = tuple(rng.integers(1, 4, size=rng.integers(0, 3)))
    Tq, Tk, Dv = rng.integers(1, 7, size=3) if rng.random() < 0.7 else [rng.integers(1, 5)] * 3
    D = rng.choice([1, 4, 16])  # the scale is a power of two
    q, k = (rng.integers(-4, 5, size=(*lead, T, D)) / 4 for T in (Tq, Tk))
    bias = rng.integers(-8, 9, size=(*lead, Tq, Tk)) / 4
    bias = bias + rng.choice(ADDED, size=(*lead, Tq, 1))
    if rng.random() < 0.4:  # scores come from the bias alone: tied or far apart
        q, bias = 0 * q, rng.choice(SCORES, size=(*lead, Tq, Tk))
    for axis in range(bias.ndim):
        if rng.random() < 0.2:
            bias = bias.take([0], axis=axis)
    while bias.ndim > 1 and bias.shape[0] == 1 and rng.random() < 0.5:
        bias = bias[0]
    inputs = q, k, rng.normal(size=(*lead, Tk, Dv)) * rng.choice([1.0, 1e5]), bias
    return tuple(array.astype(np.float32) for array in inputs)


def ask(subject, *inputs):
    return subject.attention(*inputs)
