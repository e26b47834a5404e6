"""The domain of kata 11, except nan and infinity: which weights they make nan is left open."""

import numpy as np

from checker.judging.attention import ATTENTION, MASKED_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS
from checker.judging.masks import (
    MASKS,
    RARE_MASKS,
    all_allowed,
    all_but_one,
    for_all_queries,
    one_allowed,
    random_mask,
    without_leading_axes,
)


def emptied(mask, every):
    """The same kind of mask, but the last of so many rows has no allowed key."""

    def with_empty_rows(rng, lead, Tq, Tk):
        keep = mask(rng, lead, Tq, Tk)
        rows = np.arange(keep.size // keep.shape[-1]).reshape(*keep.shape[:-1], 1)
        return keep & (rows % every != every - 1)

    return with_empty_rows


def none_allowed(rng, lead, Tq, Tk):
    return np.zeros((*lead, Tq, Tk), bool)


def no_axes_and_none(rng, lead, Tq, Tk):
    return np.array(False)


def rows_without_key_axis(rng, lead, Tq, Tk):
    return np.arange(Tq)[:, None] % 2 == 0


FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": {
        "some rows empty": emptied(random_mask, 3),
        "every key allowed": all_allowed,
        "one key allowed or none": emptied(one_allowed, 3),
        "one key blocked": all_but_one,
        "no key allowed": none_allowed,
        "a mask with one row, items empty": emptied(for_all_queries, 2),
        "a mask without leading axes, a row empty": emptied(without_leading_axes, 2),
    },
}
EDGES = {
    **MASKED_EDGES,
    "mask": {
        **RARE_MASKS,
        "no empty rows": random_mask,
        "every other key allowed": MASKS["every other key allowed"],
        "every other row empty, a key axis of one": rows_without_key_axis,
        "no key allowed, a mask without axes": no_axes_and_none,
    },
}
SAME = SAME_INPUTS
build = attention_inputs
