"""float32 against float64: two dtypes, one answer."""

from decimal import Decimal, localcontext

import numpy as np

from checker.demos.chart import Chart, Floats, softmax

LENGTHS = (16, 64, 256, 1024)
QUERIES, SIZE = 4, 8  # SIZE: D
DIGITS = 40  # of the exact answer


def chart() -> Chart:
    """The relative error of attention by length, in float32 and in float64."""
    rng = np.random.default_rng(0)
    single, double = [], []
    for length in LENGTHS:
        q, k, v = (rng.normal(size=(n, SIZE)).astype(np.float32) for n in (QUERIES, length, length))
        want = exact(q, k, v)
        single.append(error(attention(q, k, v), want))
        double.append(error(attention(*(array.astype(np.float64) for array in (q, k, v))), want))
    return Chart(
        name="dtypes",
        title="1e-7 against 1e-16",
        text=f"Both dtypes get the same inputs, and their answers are compared with one computed "
        f"to {DIGITS} digits: the error is relative to the mean size of that answer. "
        f"It is about {np.mean(single):.0e} in float32 and {np.mean(double):.0e} in float64, "
        f"near the spacing of their numbers at one ({np.finfo(np.float32).eps:.0e} and "
        f"{np.finfo(np.float64).eps:.0e}), and grows much more slowly than the "
        f"number of keys. "
        f"So a difference of 1e-7 is rounding in float32, but a bug in float64: choose the "
        f"tolerance of a test by dtype.",
        x="keys",
        points=tuple(map(str, LENGTHS)),
        y="relative error of the output",
        series={"float32": tuple(single), "float64": tuple(double)},
    )


def attention(q: Floats, k: Floats, v: Floats) -> Floats:
    """Attention in the dtype of its inputs."""
    out: Floats = softmax(q @ k.T / q.dtype.type(SIZE) ** q.dtype.type(0.5)) @ v
    return out


def error(got: Floats, want: Floats) -> float:
    """The mean error, relative to the mean size of what is wanted."""
    return float(np.abs(got - want).mean() / np.abs(want).mean())


def exact(q: Floats, k: Floats, v: Floats) -> Floats:
    """The answer computed with decimal numbers and rounded once, to float64."""
    out = []
    with localcontext(prec=DIGITS):
        queries, keys, values = ([[*map(Decimal, row)] for row in array.tolist()]
                                 for array in (q, k, v))  # fmt: skip
        for query in queries:
            dots = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
            exp = [(dot / Decimal(SIZE).sqrt()).exp() for dot in dots]
            columns = zip(*values, strict=True)
            out.append(
                [
                    float(sum(e * number for e, number in zip(exp, column, strict=True)) / sum(exp))
                    for column in columns
                ]
            )
    return np.array(out)
