"""Random inputs from the whole domain of kata 21."""


def draw(rng):
    sizes = rng.integers(1, 6, size=6) if rng.random() < 0.7 else [rng.integers(1, 4)] * 6
    B, T, H, D, Dv, E = sizes
    x = rng.normal(size=(B, T, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    if rng.random() < 0.2:
        x[:, 0] *= 100.0  # tokens far apart
    into = [rng.normal(size=(E, H, D)) * rng.choice([0.0, 0.1, 1.0, 5.0]) for _ in range(2)]
    return x, *into, rng.normal(size=(E, H, Dv)), rng.normal(size=(H, Dv, E))


def ask(subject, *inputs):
    return subject.multi_head_attention(*inputs)
