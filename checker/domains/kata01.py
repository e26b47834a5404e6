"""Random inputs from the whole domain of kata 01."""

SCALES = [0.0, 1e-3, 1.0, 5.0, 30.0, 300.0]


def draw(rng):
    lead = tuple(rng.integers(1, 4, size=rng.integers(0, 4)))
    Tq, Tk, D, Dv = rng.integers(1, 7, size=4) if rng.random() < 0.7 else [rng.integers(1, 5)] * 4
    q, k, v = (rng.normal(size=(*lead, *s)) for s in ((Tq, D), (Tk, D), (Tk, Dv)))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    if rng.random() < 0.3:
        q, k = q.round(), k.round()  # ties
    if rng.random() < 0.2:
        q = q + 500.0 * rng.choice([-1, 1], size=(Tq, 1))  # rows far apart
    return q, k, v * rng.choice([1.0, 1e6]) / 10


def ask(subject, *inputs):
    return subject.attention(*inputs)
