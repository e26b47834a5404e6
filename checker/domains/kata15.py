"""The domain of kata 15."""

import numpy as np

from checker.judging import kinds
from checker.judging.kinds import LAYOUTS, LEADING, SAME_INPUTS, SCORES, SIZES, VALUES, borders

FUNCTION = "attention"
FEATURES = {
    "sizes": SIZES,
    "scores": SCORES,
    "mask": {
        "a random mask": kinds.random_mask,
        "one key allowed": kinds.one_allowed,
        "no mask": None,  # directly before and after masks of the same shape
        "every other key allowed": kinds.alternating,
        "every key allowed": kinds.all_allowed,
        "a mask with one row": kinds.for_all_queries,
        "a mask without leading axes": kinds.without_leading_axes,
    },
    "leading": LEADING,
    "values": {**VALUES, "huge values where blocked": "huge", "small weights": "small"},
    "layout": LAYOUTS,
}
EDGES = {
    "scores": kinds.LONG,
    "keys": borders("keys"),
    "keys without a mask": borders("keys without a mask", (9, 17, 33, 65, 129)),
    "late keys": {f"only the last of {keys} keys allowed": keys for keys in kinds.LATE},
    "square": borders("queries and as many keys", (65,)),
    "queries": borders("queries", (5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "features": borders("features", (9, 17, 33, 65, 130)),
    "items": borders("items", (9, 17, 33, 65, 129)),
    "mask": {
        "one key blocked": kinds.all_but_one,
        "a mask with leading axes of one": kinds.for_all_items,
        "a mask with a key axis of one": kinds.key_axis_of_one,
        "None for the mask": "None",
    },
}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, mask, leading, values, layout, **edge):
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        unmasked = edge.get("keys without a mask")
        Tq, Tk = edge.get("queries", 2), unmasked or edge.get("keys", 3)
        D, Dv, mask = edge.get("features", 2), 1, None if unmasked else mask
        scores, leading = kinds.mixed, (edge.get("items", 6),)
    if "late keys" in edge:
        Tk, mask = edge["late keys"], kinds.only_last
    if "square" in edge:
        Tq = Tk = edge["square"]
    q, k = scores(rng, leading, Tq, Tk, D)
    if edge:
        q[4] *= 50.0  # the scores of this item rise by 1,000 along the keys
    v = kinds.values_of(rng, (*leading, Tk, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        kinds.small_weights(q, k, v)
    if mask is None or mask == "None":
        inputs = tuple(layout(array) for array in (q, k, v))
        return (*inputs, None) if mask else inputs
    keep = mask(rng, leading, Tq, Tk)
    if values == "small":
        keep[..., 0] = True
    if values == "huge":
        hidden = ~np.broadcast_to(keep, (*leading, Tq, Tk)).any(axis=-2)[..., None]
        k, v = np.where(hidden, -k, k), np.where(hidden, -1e300, v)
    return tuple(layout(array) for array in (q, k, v, keep.astype(float)))
