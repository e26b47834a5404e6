"""Random inputs from the whole domain of kata 10."""

SCALES = [0.0, 1.0, 30.0, 300.0]
ADDED = [0.0, 600.0, 735.0, -740.0, 1e3, -5e3, 1e5, 9e5, -9e5]


def draw(rng):
    """Scores for `softmax`, or q, k and v for `attention`."""
    lead = tuple(rng.integers(1, 4, size=rng.integers(0, 4)))
    Tq, Tk, D, Dv = rng.integers(1, 7, size=4) if rng.random() < 0.7 else [rng.integers(1, 5)] * 4
    if rng.random() < 0.5:  # multiples of 1/4: every sum is exact
        scores = rng.integers(-8, 9, size=(*lead, Tk)) / 4 * rng.choice([1.0, 100.0])
        return (scores + rng.choice(ADDED, size=(*lead, 1)),)
    D = rng.choice([1, 4, 16])  # the scale is a power of two
    q, k = (rng.integers(-8, 9, size=(*lead, T, D)) / 4 for T in (Tq, Tk))
    q, k = q * rng.choice(SCALES, size=(*lead, Tq, 1)), k * rng.choice(SCALES[:2])
    return q, k, rng.normal(size=(*lead, Tk, Dv)) * rng.choice([1.0, 1e5])


def ask(subject, *inputs):
    return subject.softmax(*inputs) if len(inputs) == 1 else subject.attention(*inputs)
