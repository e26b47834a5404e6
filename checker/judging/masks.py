"""Kinds of masks that many contracts allow: arrays that say which keys may be attended to.

Each function takes a generator and sizes and returns a bool array that broadcasts to
(*lead, Tq, Tk), True for allowed.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from checker.judging.comparisons import Array
from checker.judging.kinds import Lead, Rng

Mask = Callable[[Rng, Lead, int, int], Array]


def random_mask(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Half of the keys, at least one for every query."""
    keep = rng.random((*lead, Tq, Tk)) < 0.5
    np.put_along_axis(keep, rng.integers(Tk, size=(*lead, Tq, 1)), True, axis=-1)
    return keep


def all_allowed(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key."""
    return np.ones((*lead, Tq, Tk), bool)


def one_allowed(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """One key for every query."""
    keep = np.zeros((*lead, Tq, Tk), bool)
    np.put_along_axis(keep, rng.integers(Tk, size=(*lead, Tq, 1)), True, axis=-1)
    return keep


def all_but_one(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key but one for every query, unless it is the only one."""
    return ~one_allowed(rng, lead, Tq, Tk) | (Tk == 1)


def only_last(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """The last key alone."""
    return np.broadcast_to(np.arange(Tk) == Tk - 1, (*lead, Tq, Tk)).copy()


def staggered(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key but one, and another one for neighbouring queries, heads and items."""
    places = np.indices((*lead, Tq, Tk)).sum(axis=0)
    keep: Array = (places % Tk != Tk - 1) | (Tk == 1)
    return keep


def one_axis(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """The same mask for all queries and items, with the key axis alone."""
    (keep,) = staggered(rng, (), 1, Tk)
    return np.asarray(keep)


def shut_last(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key but the last."""
    return ~only_last(rng, lead, Tq, Tk) | (Tk == 1)


def open_first(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key for the first query, all but the last for the others; no leading axes."""
    keep = np.ones((Tq, Tk), bool)
    keep[1:, -1] = Tk == 1
    return keep


def shut_first(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key, but for the first query not the first; no leading axes."""
    keep = np.ones((Tq, Tk), bool)
    keep[:1, 0] = Tk == 1
    return keep


def causal(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """For each query, the keys up to its own place."""
    return np.tri(Tq, Tk, dtype=bool)


def causal_and_next(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """For each query, the keys up to the place after its own."""
    return np.tri(Tq, Tk, 1, dtype=bool)


def anticausal(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """For each query, the keys from its own place on; the last key for those that have none."""
    keep = np.tri(Tk, Tq, dtype=bool).T.copy()
    keep[:, -1] = True
    return keep


def in_turns(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """For every other query all keys but the last, for the others all but the first."""
    keep = np.ones((Tq, Tk), bool)
    keep[::2, -1] = keep[1::2, 0] = Tk == 1
    return keep


def alternating(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every other key."""
    return np.broadcast_to(np.arange(Tk) % 2 == 0, (*lead, Tq, Tk)).copy()


def for_all_queries(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """One row for all queries of an item: a query axis of one."""
    return random_mask(rng, lead, 1, Tk)


def for_all_items(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """The same mask for all items: leading axes of one."""
    return random_mask(rng, (1,) * len(lead), Tq, Tk)


def without_leading_axes(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """The same mask for all items: no leading axes."""
    return random_mask(rng, (), Tq, Tk)


def key_axis_of_one(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key, with a key axis of one."""
    return np.ones((Tq, 1), bool)


def one_number(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key, as an array of one number."""
    return np.array([True])


def no_axes(rng: Rng, lead: Lead, Tq: int, Tk: int) -> Array:
    """Every key, as an array without axes."""
    return np.array(True)


MASKS: Final[dict[str, Mask]] = {
    "a random mask": random_mask,
    "every key allowed": all_allowed,
    "one key allowed": one_allowed,
    "one key blocked": all_but_one,
    "every other key allowed": alternating,
    "a mask with one row": for_all_queries,
    "a mask without leading axes": without_leading_axes,
}
LATE: Final = (8, 9, 16, 17, 32, 33, 64, 65, 129)  # keys of which only the last is allowed

RARE_MASKS: Final[dict[str, Mask]] = {  # for contracts in which every axis broadcasts
    "a mask with leading axes of one": for_all_items,
    "a mask with a key axis of one": key_axis_of_one,
    "a mask with one axis": one_axis,
    "a mask of one number": one_number,
    "a mask without axes": no_axes,
}
