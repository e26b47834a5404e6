"""Random inputs from the whole domain of kata 04."""


def draw(rng):
    B, T, H, D, E = rng.integers(1, 6, size=5) if rng.random() < 0.7 else [rng.integers(1, 4)] * 5
    x = rng.normal(size=(B, T, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    into = [rng.normal(size=(E, H * D)) * rng.choice([0.0, 0.1, 1.0, 10.0]) for _ in range(3)]
    if rng.random() < 0.2:
        x[:, 0] *= 100.0  # rows far apart
    return x, *into, rng.normal(size=(H * D, E)), int(H)


def ask(subject, *inputs):
    return subject.multi_head_attention(*inputs)
