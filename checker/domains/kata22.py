"""Random inputs from the whole domain of kata 22."""


def draw(rng):
    T, B, H, D, E = rng.integers(1, 6, size=5) if rng.random() < 0.7 else [rng.integers(1, 4)] * 5
    x = rng.normal(size=(T, B, E)) * rng.choice([0.0, 1e-3, 1.0, 10.0])
    into = [rng.normal(size=(E, H * D)) * rng.choice([0.0, 0.1, 1.0, 10.0]) for _ in range(3)]
    if rng.random() < 0.2:
        x[rng.integers(T)] *= 50.0  # tokens far apart
    return x, *into, rng.normal(size=(H * D, E)), int(H)


def ask(subject, *inputs):
    return subject.causal_attention(*inputs)
