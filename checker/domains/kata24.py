"""Random inputs from the whole domain of kata 24: tokens, and projections with any numbers.

Initial numbers differ between correct versions, so only their size is compared: the power of two
nearest to E times the variance.
"""

import numpy as np


def draw(rng):
    B, T, H, D = rng.integers(1, 6, size=4) if rng.random() < 0.7 else [rng.integers(1, 4)] * 4
    E = H * D
    x = rng.normal(size=(B, T, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    into = [rng.normal(size=(H, E, D)) * rng.choice([0.0, 0.1, 1.0, 10.0]) for _ in range(3)]
    biases = [rng.normal(size=(H, D)) * rng.choice([0.0, 1.0, 30.0]) for _ in range(3)]
    return x, *into, rng.normal(size=(E, E)), *biases, rng.normal(size=E)


def ask(subject, *inputs):
    first = subject.init_projections(64, 8, 0)[:4]
    sizes = np.array([np.round(np.log2(64 * np.var(W) + 1e-9)) for W in first])
    return *subject.multi_head_attention(*inputs), sizes
