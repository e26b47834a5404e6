"""Kinds of input that many contracts allow, for the files in `checker/domains`.

A kind of scores makes queries and keys, a layout puts an array into memory in another order; masks
have a module of their own. Sizes are as in the katas.
"""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array

Rng = np.random.Generator
Lead = tuple[int, ...]
Pair = tuple[Array, Array]
Scores = Callable[[Rng, Lead, int, int, int], Pair]

LIMIT: Final = 1e6  # of scores and numbers in most contracts
HIDDEN: Final = -1.7e308  # where a query may not attend: the sum of two is not finite

# Just below, at and above every block size from 4 to 128, a prime, and more than a byte counts.
BORDERS: Final = (4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 131, 257)
SQUARED: Final = (4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 131)  # where cost is too

SIZES: Final = {  # Tq, Tk, D, Dv
    "ordinary sizes": (3, 5, 4, 6),
    "one query": (1, 5, 4, 6),
    "one key": (3, 1, 4, 6),
    "one feature": (3, 5, 1, 1),
    "all sizes one": (1, 1, 1, 1),
    "all sizes two": (2, 2, 2, 2),
    "all sizes four": (4, 4, 4, 4),
}

LEADING: Final = {
    "one leading axis": (2,),
    "no leading axes": (),
    "a leading axis of one": (1,),
    "two leading axes": (2, 3),
    "three leading axes": (2, 1, 3),
}


def patterns(names: str, *ordinary: int) -> dict[str, tuple[int, ...]]:
    """Kinds for several sizes: one or two of them one, all but one of them one, two of them equal.

    `names` are those of the sizes, in their order, and `ordinary` the other sizes.
    """
    named, result = names.split(), {}
    for count in sorted({1, 2, len(named) - 1}):
        for ones in combinations(range(len(named)), count):
            sizes = tuple(1 if at in ones else size for at, size in enumerate(ordinary))
            result[" = ".join(named[at] for at in ones) + " = 1"] = sizes
    for one, other in combinations(range(len(named)), 2):
        sizes = tuple(ordinary[one] if at == other else size for at, size in enumerate(ordinary))
        result[f"{named[one]} = {named[other]}"] = sizes
    return result


def borders(what: str, sizes: Iterable[int] = BORDERS) -> dict[str, int]:
    """Kinds for the number of something, such as `keys`: one for every border."""
    return {f"{size} {what}": size for size in sizes}


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
    """Scores that rise along the keys, by 20 in all, and fall for every other query."""
    q, k = np.ones((*lead, Tq, D)), np.empty((*lead, Tk, D))
    k[...] = (20.0 * np.arange(Tk) / Tk / np.sqrt(D))[:, None]
    q *= 1.0 + 0.1 * rng.random((*lead, Tq, 1))
    q[..., 1::2, :] *= -1.0
    return q, k


def steep(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that rise along the keys, at the last one by 1,000, and fall for every other query."""
    q, k = rising(rng, lead, Tq, Tk, D)
    k[..., -1, :] += 1e3 / np.sqrt(D)
    return q, k


def falling(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores that fall along the keys, by 20 in all, and rise for every other query."""
    q, k = rising(rng, lead, Tq, Tk, D)
    return -q, k


def all_equal(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of 200, and -200 for every other query: all keys are the same."""
    q, k = np.ones((*lead, Tq, D)), np.full((*lead, Tk, D), 200.0 / np.sqrt(D))
    q[..., 1::2, :] *= -1.0
    return q, k


def at_the_limit(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores up to a million, some of which differ by a half or not at all."""
    levels = np.array([1e6, 1e6 - 0.5, 1e6, 3e5, -1e6, 9e5, 2e5])
    q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
    q[..., 0] = np.sqrt(D)
    k[..., 0] = rng.permuted(np.broadcast_to(np.resize(levels, Tk), (*lead, Tk)), axis=-1)
    q[..., 1::2, 0] *= -1.0
    return q, k


def mixed(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Another kind of scores for every item of the first axis, for inputs that cost much."""
    kinds = [ordinary, all_zero, some_zero, rows_apart, rising, steep]
    drawn = [kinds[i % len(kinds)](rng, lead[1:], Tq, Tk, D) for i in range(lead[0])]
    return np.stack([q for q, _ in drawn]), np.stack([k for _, k in drawn])


def long_queries(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of order one, from long queries and short keys."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return q * 2.0**17, k * 2.0**-17


def long_keys(rng: Rng, lead: Lead, Tq: int, Tk: int, D: int) -> Pair:
    """Scores of order one, from short queries and long keys."""
    q, k = ordinary(rng, lead, Tq, Tk, D)
    return q * 2.0**-17, k * 2.0**17


SCORES: Final[dict[str, Scores]] = {
    "ordinary scores": ordinary,
    "all scores exactly 0": all_zero,
    "some scores exactly 0, ties": some_zero,
    "rows of scores far apart": rows_apart,
    "items with scores far apart": items_apart,
    "scores rising along the keys": rising,
    "scores at the limit": at_the_limit,
}

LONG: Final[dict[str, Scores]] = {
    "long queries, short keys": long_queries,
    "short queries, long keys": long_keys,
}

ALONE: Final[dict[str, tuple[int, Scores]]] = {  # a single row of scores, of a single kind
    f"{keys} keys, {name}": (keys, scores)
    for name, scores in {
        "scores rising": rising,
        "scores falling": falling,
        "scores equal": all_equal,
        "scores 0": all_zero,
        "the last score high": steep,
    }.items()
    for keys in (2, 17, 65, 129)
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
    "scores at the limit": 4e-9,
}


# Values, and memory layouts.


def values_of(rng: Rng, shape: tuple[int, ...], size: float) -> Array:
    """Normal numbers, or where `size` is not one, numbers of exactly this size and either sign."""
    drawn = rng.normal(size=shape)
    return drawn if size == 1.0 else np.where(drawn < 0, -size, size)


VALUES: Final = {"ordinary values": 1.0, "values at the limit": LIMIT}


def small_weights(q: Array, k: Array, v: Array) -> None:
    """Change inputs in place: key 0 scores 32 more than the others, whose values are 1e6."""
    q[...], k[...], v[...] = 0.0, 0.0, 1e6
    q[..., 0], k[..., 0, 0], v[..., 0, :] = np.sqrt(q.shape[-1]), 32.0, 1.0


SAME_ARRAYS: Final = {"2 heads": 2, "the same arrays, 4 heads": 4, "the same arrays, 1 head": 1}

# Inputs that are one array, by their places, for `SAME` of a domain.

SAME_INPUTS: Final = {
    "q, k and v one array": (0, 1, 2),
    "q and k one array": (0, 1),
    "k and v one array": (1, 2),
}
SAME_PROJECTIONS: Final = {  # of x, Wq, Wk and Wv
    "Wq, Wk and Wv one array": (1, 2, 3),
    "Wq and Wk one array": (1, 2),
    "Wk and Wv one array": (2, 3),
}


def c_order(array: Array) -> Array:
    """The same array, in C order."""
    return np.array(array, order="C")  # ascontiguousarray would give it an axis if it has none


def fortran(array: Array) -> Array:
    """The same array, in Fortran order."""
    return np.array(array, order="F")  # asfortranarray would give it an axis if it has none


def spread(array: Array) -> Array:
    """The same array as every other number of a larger one."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype) if array.ndim else array
    if array.ndim:
        wide[..., ::2] = array
    return wide[..., ::2] if array.ndim else array


def backwards(array: Array) -> Array:
    """The same array, reversed in memory."""
    if not array.ndim:
        return array
    flip = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[flip])[flip]


LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "C order": c_order,
    "Fortran order": fortran,
    "strided memory": spread,
    "reversed memory": backwards,
}


def merged(heads: Array) -> Array:
    """The heads (B, H, T, D) of every token, concatenated: (B, T, H * D)."""
    B, H, T, D = heads.shape
    return heads.swapaxes(1, 2).reshape(B, T, H * D)
