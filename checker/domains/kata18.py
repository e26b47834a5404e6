"""Random inputs from the whole domain of kata 18."""

SCALES = [0.0, 1e-3, 1.0, 5.0, 30.0, 300.0]


def draw(rng):
    B, H = rng.integers(1, 5, size=2)
    Tq, Tk, D, Dv = rng.integers(1, 7, size=4) if rng.random() < 0.7 else [H] * 4
    q, k = rng.normal(size=(B, Tq, H * D)), rng.normal(size=(B, Tk, H * D))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    return q, k, rng.normal(size=(B, Tk, H * Dv)), int(H)


def ask(subject, q, k, v, H):
    heads = subject.split_heads(v, H)
    return (*subject.attention(q, k, v, H), heads, subject.merge_heads(heads))
