"""Kinds of scores and values that many contracts allow, for the files in `checker/domains`.

A kind of scores makes queries and keys. Sizes, masks and memory layouts have modules of their own.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from checker.judging.comparisons import Array

Rng = np.random.Generator
Lead = tuple[int, ...]
Pair = tuple[Array, Array]
Scores = Callable[[Rng, Lead, int, int, int], Pair]

LIMIT: Final = 1e6  # of scores and numbers in most contracts
HIDDEN: Final = -1.7e308  # where a query may not attend: the sum of two is not finite


# Scores: each function returns q (*lead, Tq, D) and k (*lead, Tk, D).


def ordinary(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Normal numbers: scores of order one."""
    return rng.normal(size=(*lead, Tq, D)), rng.normal(size=(*lead, Tk, D))


def all_zero(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Queries of zeros: every score is exactly zero."""
    return np.zeros((*lead, Tq, D)), rng.normal(size=(*lead, Tk, D))


def some_zero(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Unit vectors and small integers: many scores are exactly zero, and many are equal."""
    q = np.zeros((*lead, Tq, D))
    q[..., np.arange(Tq), np.arange(Tq) % D] = 2.0
    k = rng.integers(-1, 2, size=(*lead, Tk, D)).astype(float)
    k[..., ::2, :] = 0.0  # at least the first key scores zero with every query
    return q, k


def rows_apart(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores near 0, 1,400 and -1,400 in neighbouring queries; in each they vary by about one."""
    return _apart(rng, lead, Tq, Tk, D, np.arange(Tq)[:, None])


def items_apart(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores near 0, 1,400 and -1,400 in neighbouring items or heads."""
    return _apart(rng, lead, Tq, Tk, D, np.arange(int(np.prod(lead))).reshape(*lead, 1, 1))


def _apart(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int, place: Array) -> Pair:
    q, k = ordinary(rng, lead, Tq, Tk, D)
    level = np.array([0.0, 1400.0, -1400.0])[place % 3]
    q[..., :1], k[..., :1] = np.broadcast_to(level, (*lead, Tq, 1)) * np.sqrt(D), 1.0
    if D == 1:  # then one feature has to do both: rows differ in size, not only in offset
        k += rng.normal(size=k.shape) / 700.0
        q += 1.0
    return q, k


def rising(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that rise along the keys, from 679 to 699, and fall for every other query."""
    q, k = np.ones((*lead, Tq, D)), np.empty((*lead, Tk, D))
    k[...] = ((679.0 + 20.0 * np.arange(1, Tk + 1) / Tk) / np.sqrt(D))[:, None]
    q *= 1.0 - 5e-4 * rng.random((*lead, Tq, 1))
    q[..., 1::2, :] *= -1.0
    return q, k


def steep(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that rise along the keys, at the last one by 1,000, and fall for every other query."""
    q, k = rising(rng, lead, Tq, Tk, D)
    k[..., -1, :] += 1e3 / np.sqrt(D)
    return q, k


def first_high(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Rising scores, but the first is 1,000 above, or below for every other query."""
    q, k = rising(rng, lead, Tq, Tk, D)
    k[..., :1, :] += 1e3 / np.sqrt(D)
    return q, k


def falling(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that fall along the keys, from -679 to -699, and rise for every other query."""
    q, k = rising(rng, lead, Tq, Tk, D)
    return -q, k


def valley(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that fall by 1,000 to the middle of the keys, then rise; the other way round, too."""
    q, k = np.ones((*lead, Tq, D)), np.empty((*lead, Tk, D))
    k[...] = (np.abs(np.linspace(-1e3, 1e3 - 5.0, Tk)) / np.sqrt(D))[:, None]
    q[..., 1::2, :] *= -1.0
    return q, k


def dip(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that fall by 20 to the middle of the keys, then rise; the other way round, too."""
    q, k = valley(rng, lead, Tq, Tk, D)
    return q, 0.02 * k


def close_together(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores from 900,000 to 900,005."""
    q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
    q[..., 0] = np.sqrt(D)
    k[..., 0] = 9e5 + rng.permuted(np.broadcast_to(np.arange(Tk) % 6, (*lead, Tk)), axis=-1)
    return q, k


def whole_numbers(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Whole numbers up to 300, whose products exceed those of 16 bits."""
    q, k = (rng.integers(-300, 301, size=(*lead, T, D)) for T in (Tq, Tk))
    return q.astype(float), k.astype(float)


def equal_queries(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """All queries are the same, in all items; the keys are not."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return np.broadcast_to(q[(0,) * len(lead)][:1], q.shape).copy(), k


def balanced(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Queries and keys whose features sum to exactly zero, if there are at least two."""
    q, k = whole_numbers(rng, lead, Tq, Tk, D)
    for rows in (q, k):
        rows[..., -1] -= rows.sum(axis=-1)
    return q / 128.0, k / 128.0


def vanishing(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Queries whose squares underflow."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return 1e-170 * q, k


def all_equal(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of 900, and -900 for every other query: all keys are the same."""
    q, k = np.ones((*lead, Tq, D)), np.full((*lead, Tk, D), 900.0 / np.sqrt(D))
    q[..., 1::2, :] *= -1.0
    return q, k


def at_the_limit(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores up to a million, some of which differ by 0.7 or not at all."""
    levels = np.array([1e6, 1e6 - 0.7, 1e6, 3e5, -1e6, 9e5, 2e5])
    q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
    q[..., 0] = np.sqrt(D)
    k[..., 0] = rng.permuted(np.broadcast_to(np.resize(levels, Tk), (*lead, Tk)), axis=-1)
    q[..., 1::2, 0] *= -1.0
    return q, k


def mixed(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Another kind of scores for every item of the first axis, for inputs that cost much."""
    kinds = [rows_apart, some_zero, rising, ordinary, all_zero, steep]
    drawn = [kinds[i % len(kinds)](rng, lead[1:], Tq, Tk, D) for i in range(lead[0])]
    return np.stack([q for q, _ in drawn]), np.stack([k for _, k in drawn])


def all_low(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of -900, and 900 for every other query."""
    q, k = all_equal(rng, lead, Tq, Tk, D)
    return -q, k


def long_queries(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of order 1e-7, from long queries and short keys."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return q * 2.0**17, k * 2.0**-40


def long_keys(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of order 1e-7, from short queries and long keys."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return q * 2.0**-40, k * 2.0**17


SCORES: Final[dict[str, Scores]] = {
    "ordinary scores": ordinary,
    "all scores exactly 0": all_zero,
    "some scores exactly 0, ties": some_zero,
    "rows of scores far apart": rows_apart,
    "items with scores far apart": items_apart,
    "scores rising along the keys": rising,
    "scores at the limit": at_the_limit,
}

RARE: Final[dict[str, Scores]] = {
    "long queries, short keys": long_queries,
    "short queries, long keys": long_keys,
    "vanishing queries": vanishing,
    "equal queries": equal_queries,
    "features that sum to zero": balanced,
    "whole numbers": whole_numbers,
    "high scores close together": close_together,
}

ALONE: Final[dict[str, tuple[int, Scores]]] = {  # a single row of scores, of a single kind
    f"{keys} keys, {name}": (keys, scores)
    for name, scores in {
        "scores rising": rising,
        "scores falling": falling,
        "scores equal and high": all_equal,
        "scores equal and low": all_low,
        "a dip of 20 in the middle": dip,
        "a valley of 1,000 in the middle": valley,
        "scores 0": all_zero,
        "the last score high": steep,
        "the first score high": first_high,
        "high scores close together": close_together,
    }.items()
    for keys in (2, 129)
}

EDGES: Final = "edges"  # in a table of tolerances: every case of an edge

# In float64, rounding moves a score of size s by a few times s * 2.2e-16, and its weight by the
# same share: s is up to 1,400 where scores are far apart (and in edges, by `mixed`), or 1e6.
TOLERANCES: Final = {
    "rows of scores far apart": 4e-12,
    "items with scores far apart": 4e-12,
    "tokens with scores far apart": 4e-12,
    "heads with scores far apart": 4e-12,
    EDGES: 4e-12,
    "scores rising along the keys": 4e-12,
    "scores at the limit": 4e-9,
    "high scores close together": 4e-9,
    "2 keys, high scores close together": 4e-9,
    "129 keys, high scores close together": 4e-9,
    "whole numbers": 4e-10,
}


# Values.


IDENTITY, ZEROS = 0.0, -1.0  # sizes of values that stand for other matrices


def values_of(rng: Rng, shape: tuple[int, ...], size: float) -> Array:
    """Normal numbers, numbers of one `size` or half of it, or other matrices.

    The large numbers of a column have one sign: they would cancel to less than their rounding.
    """
    if size == ZEROS:
        return np.zeros(shape)
    if size == IDENTITY:
        return np.zeros(shape) + np.eye(shape[-2], shape[-1])
    drawn = rng.normal(size=shape)
    sign = np.where(drawn[..., :1, :] < 0, -1.0, 1.0)
    return drawn if size == 1.0 else sign * np.where(drawn < 0, size / 2, size)


VALUES: Final = {
    "ordinary values": 1.0,
    "values at the limit": LIMIT,
    "identity values": IDENTITY,
}
NO_VALUES: Final = {"values of zero": ZEROS, "values of 3e-9": 3e-9}


def small_weights(q: Array, k: Array, v: Array) -> None:
    """Change inputs in place: key 0 scores 32 more than the others, whose values are 1e6."""
    q[...], k[...], v[...] = 0.0, 0.0, 1e6
    q[..., 0], k[..., 0, 0], v[..., 0, :] = np.sqrt(q.shape[-1]), 32.0, 1.0


def merged(heads: Array) -> Array:
    """The heads (B, H, T, D) of every token, concatenated: (B, T, H * D)."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)
