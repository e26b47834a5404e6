"""Random inputs from the whole domain of kata 19."""

SCALES = [0.0, 1e-3, 1.0, 5.0, 50.0]


def draw(rng):
    B, G, rep, Tq, Tk, D, Dv = rng.integers(1, 5, size=7)
    if rng.random() < 0.3:
        G = rep = Tq = Tk = D = Dv = int(rng.integers(1, 4))
    q, k = rng.normal(size=(B, G * rep, Tq, D)), rng.normal(size=(B, G, Tk, D))
    q, k = q * rng.choice(SCALES), k * rng.choice(SCALES)
    if rng.random() < 0.3:
        q, k = q.round(), k.round()  # ties
    if rng.random() < 0.3:
        k[:, 0] *= 10.0  # heads far apart
    return q, k, rng.normal(size=(B, G, Tk, Dv)) * rng.choice([0.0, 1.0, 1e5])


def ask(subject, *inputs):
    return subject.grouped_query_attention(*inputs)
