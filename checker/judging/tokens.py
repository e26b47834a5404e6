"""Kinds of tokens: inputs of contracts in which queries and keys are projections of the tokens.

Each function returns x (*lead, T, E), Wq and Wk (E, H * D). In those with levels, token t scores
`query[t] * key[s]` with token s, and where D > 1 also a number of order one.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array
from checker.judging.kinds import IDENTITY, LIMIT, NO_VALUES, ZEROS, Lead, Rng

Projected = tuple[Array, Array, Array]
Tokens = Callable[[Rng, Lead, int, int, int, int], Projected]

FAR: Final = np.array([0.0, 1400.0, -1400.0])


def ordinary(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Normal numbers: scores of order one."""
    Wq, Wk = rng.normal(size=(2, E, H * D)) / np.sqrt(E)
    return rng.normal(size=(*lead, T, E)), Wq, Wk


def no_queries(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """A query projection of zeros: every score is exactly zero."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    return x, 0.0 * Wq, Wk


def integers(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Small integers: many scores are exactly zero, and many are equal."""
    x, Wq, Wk = (rng.integers(-1, 2, size=s) for s in ((*lead, T, E), (E, H * D), (E, H * D)))
    x[..., ::3, :] = 0  # these tokens score zero, and all tokens score zero with them
    Wk[0, 0] = Wq[0, 0] = 1
    return x.astype(float), Wq.astype(float), Wk.astype(float)


def rows_apart(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores near 0, 1,400 and -1,400 in neighbouring tokens; in each they vary by about one."""
    key = 1.0 + rng.normal(size=(*lead, T)) / 700.0
    return _levels(rng, (lead, T, E, H, D), FAR[np.arange(T) % 3], key)


def items_apart(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores near 1,400, -1,400 and 0 in neighbouring heads, and in neighbouring items."""
    items = np.arange(int(np.prod(lead))).reshape(*lead, 1)
    key = 1.0 + rng.normal(size=(*lead, T)) / 700.0
    return _levels(rng, (lead, T, E, H, D), FAR[(items + 1) % 3], key, heads=(1.0, -1.0, 0.0))


def rising(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores that rise along the tokens, from 679 to 699, and fall for every other query."""
    query = (1.0 - 5e-4 * rng.random((*lead, T))) * np.where(np.arange(T) % 2, -1.0, 1.0)
    return _levels(
        rng, (lead, T, E, H, D), query, 679.0 + 20.0 * np.arange(1, T + 1) / T, noise=0.1
    )


def at_the_limit(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores up to a million, some of which differ by 0.7 or not at all."""
    levels = np.resize([1e6, 1e6 - 0.7, 1e6, 3e5, -1e6, 9e5, 2e5], T)
    key = rng.permuted(np.broadcast_to(levels, (*lead, T)), axis=-1)
    query = np.where(np.arange(T) % 2, -1.0, 1.0)
    return _levels(rng, (lead, T, E, H, D), query, key, noise=0.0)


def all_low(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores from -901 to -900: exp of each is zero."""
    return _levels(rng, (lead, T, E, H, D), 1.0, -900.0 - rng.random((*lead, T)), noise=0.0)


def long_queries(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores of order 1e-8, from long queries and short keys."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    return x, Wq * 2.0**14, Wk * 2.0**-40


def long_keys(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores of order 1e-8, from short queries and long keys."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    return x, Wq * 2.0**-40, Wk * 2.0**14


def equal_tokens(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """All tokens of an item are the same."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    x[...] = x[..., :1, :]
    return x, Wq, Wk


def equal_ends(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """The last item is the same as the first."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    x[-1] = x[0]
    return x, Wq, Wk


def equal_first(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """All tokens of the first item are the same."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    first = (0,) * len(lead)
    x[first] = x[first][:1]
    return x, Wq, Wk


def equal_heads(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """All heads have the same query projection."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    return x, np.tile(Wq[:, :D], H), Wk


def equal_projections(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Queries and keys have the same projection."""
    x, Wq, _ = ordinary(rng, lead, T, E, H, D)
    return x, Wq, Wq.copy()


def equal_first_head(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """In the first head, queries and keys have the same projection."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    Wk[:, :D] = Wq[:, :D]
    return x, Wq, Wk


def whole_numbers(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Whole numbers, whose products exceed those of 16 bits."""
    x, Wq, Wk = ordinary(rng, lead, T, E, H, D)
    return np.round(40.0 * x), np.round(3.0 * Wq), np.round(3.0 * Wk)


def mixed(rng: Rng, lead: Lead, T: int, E: int, H: int, D: int) -> Projected:
    """Scores of zero, rising, falling and far apart, in neighbouring tokens of every item.

    The third token from the end, or the first, is higher by more than exp can take.
    """
    key = (np.arange(T) + rng.random((*lead, T))) / T
    key[..., 1::5], key[..., max(T - 3, 0) if T % 2 else 0] = 0.0, 2.0
    query = np.array([0.0, 24.0, 800.0, -24.0, 2.0])[np.arange(-T, 0) % 5]
    return _levels(rng, (lead, T, E, H, D), query, key, noise=0.5, heads=(1.0, 0.5))


def _levels(
    rng: Rng,
    size: tuple[Lead, int, int, int, int],
    query: Array | float,
    key: Array,
    noise: float = 1.0,
    heads: tuple[float, ...] = (1.0,),
) -> Projected:
    """Feature 0 of x is `query`, feature 1 is `key`; a single feature is both."""
    _, _, E, H, D = size
    x, Wq, Wk = ordinary(rng, *size)
    Wq, Wk = noise * Wq, noise * Wk
    Wq[:2], Wk[:2], Wq[:, ::D], Wk[:, ::D] = 0.0, 0.0, 0.0, 0.0
    if E == 1:
        x[..., 0] = key * np.sqrt(np.abs(query).max() / np.abs(key).max(initial=1e-3))
    else:
        x[..., 0], x[..., 1] = query, key
    Wq[0, ::D] = np.sqrt(D) * np.resize(heads, H)  # these numbers are multiplied in the scores
    Wk[min(1, E - 1), ::D] = 1.0
    return x, Wq, Wk


TOKENS: Final[dict[str, Tokens]] = {
    "ordinary scores": ordinary,
    "all scores exactly 0": no_queries,
    "some scores exactly 0, ties": integers,
    "rows of scores far apart": rows_apart,
    "items with scores far apart": items_apart,
    "scores rising along the keys": rising,
    "scores at the limit": at_the_limit,
}


RARE: Final[dict[str, Tokens]] = {
    "equal tokens": equal_tokens,
    "equal tokens in the first item": equal_first,
    "the last item as the first": equal_ends,
    "equal queries in all heads": equal_heads,
    "equal queries and keys": equal_projections,
    "equal queries and keys in the first head": equal_first_head,
    "whole numbers": whole_numbers,
    "all scores low": all_low,
    "long queries, short keys": long_queries,
    "short queries, long keys": long_keys,
}
OUTPUTS: Final = {
    **NO_VALUES,
    "output projection at the limit": "Wo",
    "output projection of zeros": "zeros",
}

EQUAL: Final = {  # items, T, H, D, E
    "three of everything": (3, 3, 3, 3, 3),
    "one item, three of everything else": (1, 3, 3, 3, 3),
    "one item, one token, one head, D = E": (1, 1, 1, 4, 4),
}


def output_projection(rng: Rng, rows: int, columns: int, values: Any) -> Array:
    """Normal numbers, or what `values` says, if it is a kind of `OUTPUTS`."""
    Wo = rng.normal(size=(rows, columns))
    if values == "Wo":
        Wo = np.sign(Wo) * LIMIT
    if values == "diagonal":  # where it is square, close to an identity but not one
        Wo *= 2e-9
        np.fill_diagonal(Wo, 1.0)
    return 0.0 * Wo if values == "zeros" else Wo


def projection(rng: Rng, x: Array, width: int, size: float) -> Array:
    """A projection of x to values of order one, or up to another `size`, or other matrices."""
    E = x.shape[-1]
    if size in (IDENTITY, ZEROS):
        small = min(1.0, 0.4 * LIMIT / np.abs(x).max(initial=1.0))  # values below the limit
        return (small if size == IDENTITY else 0.0) * np.eye(E, width)
    W = rng.normal(size=(E, width))
    large = np.abs(x).max(axis=tuple(range(x.ndim - 1))) > 100.0
    if not large.all():
        W[large] = 0.0  # otherwise all values would be nearly the same
    bound = float(max((np.abs(x) @ np.abs(W)).max(), np.abs(W).max()))
    W *= 0.999 * size / bound if size != 1.0 or bound > 1e3 else E**-0.5
    return W


def small_weights(x: Array, Wq: Array, Wk: Array, Wv: Array, D: int) -> None:
    """Change inputs in place: token 0 scores 32 more than the others, whose values are 1e6.

    This takes three features; with fewer, the inputs stay as they are.
    """
    if x.shape[-1] > 2:
        x[...], Wq[...], Wk[...], Wv[...] = 0.0, 0.0, 0.0, 0.0
        x[..., 0], x[..., 0, 1], x[..., 2], x[..., 0, 2] = 1.0, 32.0, 1e6, 1.0
        Wq[0], Wk[1], Wv[2] = 1.0, 1.0 / np.sqrt(D), 1.0
