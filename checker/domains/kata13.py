"""The domain of kata 13."""

import numpy as np

from checker.judging import kinds
from checker.judging.kinds import (
    LAYOUTS,
    LEADING,
    MASKS,
    SAME_INPUTS,
    SCORES,
    SIZES,
    VALUES,
    borders,
)

AT_THE_LIMIT = [1e6, 1e6 - 1, 3e5, 0.0, -1e6]

FUNCTION = "scaled_dot_product_attention"
FEATURES = {
    "sizes": SIZES,
    "scores": SCORES,
    "mask": MASKS,
    "dtype": {
        "bool": "bool",
        "0 and -inf": [0.0],
        "numbers and -inf": [-3.0, -0.5, 0.0, 1.0, 1.5, 4.0],
        "1 and 0, both added": "added",
        "the same number for every key": "constant",
        "numbers at the limit and -inf": AT_THE_LIMIT,
    },
    "leading": LEADING,
    "values": {**VALUES, "huge values where blocked": "huge", "small weights": "small"},
    "layout": LAYOUTS,
}
EDGES = {
    "scores": kinds.LONG,
    "keys": borders("keys"),
    "keys with a float mask": borders("keys with a float mask", (9, 17, 33, 65, 129)),
    "late keys": {f"only the last of {keys} keys allowed": keys for keys in kinds.LATE},
    "square": borders("queries and as many keys", (65,)),
    "queries": borders("queries", (5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "features": borders("features", (9, 17, 33, 65, 130)),
    "items": borders("items", (9, 17, 33, 65, 129)),
    "mask": {name: kinds.RARE_MASKS[name] for name in list(kinds.RARE_MASKS)[:2]},
}
# Adding a number of a million to a score rounds it as a score of a million is rounded.
TOLERANCES = {**kinds.TOLERANCES, "numbers at the limit and -inf": 4e-9}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, mask, dtype, leading, values, layout, **edge):
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        biased = edge.get("keys with a float mask")
        Tq, Tk = edge.get("queries", 2), biased or edge.get("keys", 3)
        D, Dv, dtype = edge.get("features", 2), 1, [-1.0, 0.0, 1.0] if biased else dtype
        scores, leading = kinds.mixed, (edge.get("items", 6),)
    if "late keys" in edge:
        Tk, mask = edge["late keys"], kinds.only_last
    if "square" in edge:
        Tq = Tk = edge["square"]
    q, k = scores(rng, leading, Tq, Tk, D)
    if edge:
        q[4] *= 50.0  # the scores of this item rise by 1,000 along the keys
    keep = mask(rng, leading, Tq, Tk)
    v = kinds.values_of(rng, (*leading, Tk, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        kinds.small_weights(q, k, v)
        keep[..., 0] = True
    attn_mask = as_dtype(rng, keep, dtype)
    if values == "huge":
        hidden = ~attn_mask if dtype == "bool" else np.isneginf(attn_mask)
        hidden = np.broadcast_to(hidden, (*leading, Tq, Tk)).all(axis=-2)[..., None]
        k, v = np.where(hidden, -k, k), np.where(hidden, -1e300, v)
    return tuple(layout(array) for array in (q, k, v, attn_mask))


def as_dtype(rng, keep, dtype):
    """The mask as bool or float64, with -inf or a smaller number where `keep` is False."""
    if dtype == "bool":
        return keep
    if dtype == "added":
        return keep.astype(float)
    if dtype == "constant":
        return np.full(keep.shape, 3.0)
    return np.where(keep, rng.choice(dtype, size=keep.shape), -np.inf)
