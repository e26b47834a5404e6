"""Loops against matrices: the same numbers, in different times."""

import math
import time
from collections.abc import Callable

import numpy as np

from checker.demos.chart import Chart, Floats, softmax

LENGTHS = (16, 32, 64, 128)
SIZE = 16  # D
RUNS = 3  # the fastest counts


def chart() -> Chart:
    """The time that attention takes by length, as loops over numbers and as matrix products."""
    rng = np.random.default_rng(0)
    slow, fast, apart = [], [], 0.0
    for length in LENGTHS:
        q, k, v = rng.normal(size=(3, length, SIZE))
        seconds, one = timed(with_loops, q, k, v)
        slow.append(seconds)
        seconds, other = timed(with_matrices, q, k, v)
        fast.append(seconds)
        apart = max(apart, float(np.abs(one - other).max()))
    return Chart(
        name="loops",
        title="loops against matrices",
        text=f"Both functions compute the same attention (D = {SIZE}): their outputs differ by at "
        f"most {apart:.1g}, because they add in a different order. "
        f"At {LENGTHS[-1]} tokens the loops took {1000 * slow[-1]:.3g} ms on this machine just "
        f"now and the matrix products {1000 * fast[-1]:.3g} ms, {slow[-1] / fast[-1]:.0f} times "
        f"less. "
        f"Loops are the easiest way to be right, so the checker compares your code with loops; "
        f"matrices are the way to be fast.",
        x="tokens",
        points=tuple(map(str, LENGTHS)),
        y="seconds",
        series={"loops": tuple(slow), "matrices": tuple(fast)},
    )


def timed(function: Callable[..., Floats], *inputs: Floats) -> tuple[float, Floats]:
    """The seconds that the fastest of a few runs took, and what the function returns."""
    seconds = []
    for _ in range(RUNS):
        before = time.perf_counter()
        out = function(*inputs)
        seconds.append(time.perf_counter() - before)
    return min(seconds), out


def with_loops(q: Floats, k: Floats, v: Floats) -> Floats:
    """Attention of (T, D) arrays, one number at a time."""
    keys, values, out = k.tolist(), v.tolist(), []
    for query in q.tolist():
        scores = []
        for key in keys:
            dot = 0.0
            for one, other in zip(query, key, strict=True):
                dot += one * other
            scores.append(dot / math.sqrt(len(query)))
        highest = max(scores)
        exp = [math.exp(score - highest) for score in scores]
        total, row = sum(exp), [0.0] * v.shape[1]
        for e, value in zip(exp, values, strict=True):
            for i, number in enumerate(value):
                row[i] += e / total * number
        out.append(row)
    return np.array(out)


def with_matrices(q: Floats, k: Floats, v: Floats) -> Floats:
    """Attention of (T, D) arrays."""
    out: Floats = softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v
    return out
