"""Inputs of every kind for functions of q, k, v and perhaps a mask, and what they must return."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array
from checker.judging.kinds import (
    ALONE,
    HIDDEN,
    NO_VALUES,
    RARE,
    SCORES,
    VALUES,
    Lead,
    Rng,
    Scores,
    items_apart,
    mixed,
    rows_apart,
    small_weights,
    values_of,
)
from checker.judging.layouts import SHARED_LAYOUTS
from checker.judging.masks import (
    LATE,
    RARE_MASKS,
    Mask,
    all_allowed,
    all_but_one,
    anticausal,
    causal,
    causal_and_next,
    in_turns,
    one_axis,
    only_last,
    open_first,
    shut_first,
    shut_last,
    staggered,
)
from checker.judging.sizes import LEADING, SIZES, borders, patterns

FEW: Final = (9, 17, 33, 65, 130)
MANY: Final = (9, 62, 129)  # keys: the second number is more than a float64 holds bit by bit

ATTENTION: Final[dict[str, dict[str, Any]]] = {
    "sizes": SIZES,
    "scores": SCORES,
    "leading": LEADING,
    "values": {**VALUES, "small weights": "small"},
    "layout": SHARED_LAYOUTS,
}
ATTENTION_EDGES: Final[dict[str, dict[str, Any]]] = {
    "keys": borders("keys"),
    "queries": borders("queries"),
    "square": borders("queries and as many keys", (65,)),
    "features": borders("features", (*FEW, 257)),
    "columns": borders("value features", FEW),
    "items": borders("items", FEW),
    "heads": borders("heads", FEW),
    "alone": ALONE,
    "values": NO_VALUES,
    "sizes": patterns("Tq Tk D Dv", 3, 5, 4, 6),
    "scores": RARE,
    "leading": {"four leading axes": (1, 2, 1, 2), "17 items with two heads": (17, 2)},
}
MASKED_EDGES: Final[dict[str, dict[str, Any]]] = {
    **ATTENTION_EDGES,
    "masked": {  # queries, keys
        "one of 33 keys blocked": (2, 33, all_but_one),
        "one of 129 keys blocked": (2, 129, all_but_one),
        "a mask with one axis, as many queries as keys": (2, 2, one_axis),
        "a causal mask": (4, 4, causal),
        "a causal mask, and the next key": (4, 4, causal_and_next),
        "an anticausal mask": (4, 4, anticausal),
        "masks in turns": (3, 3, in_turns),
        "the last of 2 keys for the first query alone": (2, 2, open_first),
        **{f"the last of {n} keys for the first query alone": (2, n, open_first) for n in MANY},
        **{f"the first of {n} keys not for the first query": (2, n, shut_first) for n in MANY},
        **{f"all of {n} keys allowed": (2, n, all_allowed) for n in (9, 64, 129)},
        **{f"only the last of {n} keys allowed": (2, n, only_last) for n in LATE},
        **{f"the last of {n} keys blocked": (2, n, shut_last) for n in (9, 129)},
    },
    "shared": {  # the leading axes of q, those of the mask, and the number of keys
        "a mask for all items": ((2, 3), (3,), 5),
        "a mask for all items, as many heads": ((2, 2), (2,), 5),
        "a mask for all items, as many queries": ((2,), (), 5),
        "a mask for all items, as many queries, as many keys": ((2,), (), 2),
        "a mask for all heads, as many items": ((2, 2), (2, 1), 5),
    },
    "mask": RARE_MASKS,
}


def attention_inputs(
    rng: Rng,
    *,
    sizes: tuple[int, int, int, int],
    scores: Scores,
    leading: Lead,
    values: Any,
    layout: Callable[[Any], Any],
    mask: Mask | None = None,
    **edge: Any,
) -> tuple[Any, ...]:
    """q, k, v and, with a kind of mask, a mask, for `ATTENTION` and the edges above."""
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        Tq, Tk, D = edge.get("queries", 2), edge.get("keys", 3), edge.get("features", 2)
        Dv, scores = edge.get("columns", 1), mixed
        leading = (edge.get("items", 2 if "queries" in edge else 6),)
    if "heads" in edge:
        Tq, scores, leading = 1, items_apart, (2, edge["heads"])
    if "alone" in edge:
        (Tk, scores), Tq, leading = edge["alone"], 1, ()
        mask = all_allowed if mask and Tk == 2 else mask  # a random one would leave a single key
    if "square" in edge:
        Tq, Tk, scores, leading = edge["square"], edge["square"], rows_apart, ()
    if "masked" in edge:
        Tq, Tk, mask = edge["masked"]
    leading, shared, Tk = edge.get("shared", (leading, None, Tk))
    q, k = scores(rng, leading, Tq, Tk, D)
    v = values_of(rng, (*leading, Tk, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        small_weights(q, k, v)
    if mask is None:
        return tuple(layout(array) for array in (q, k, v))
    keep = mask(rng, leading, Tq, Tk) if shared is None else staggered(rng, shared, Tq, Tk)
    if values == "small":
        keep[..., 0] = True
    if values == "huge":
        allowed = np.broadcast_to(keep, (*q.shape[:-1], Tk)).max(axis=-2)[..., None]
        k, v = np.where(allowed, k, -k), np.where(allowed, v, HIDDEN)
    return tuple(layout(array) for array in (q, k, v, keep))


def attention_loops(q: Array, k: Array, v: Array, keep: Array | bool = True) -> tuple[Array, Array]:
    """`out` and `weights` of masked attention, one query at a time; zeros if it has no key."""
    keep = np.broadcast_to(keep, (*q.shape[:-1], k.shape[-2]))
    out, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(keep.shape)
    for row in np.ndindex(q.shape[:-1]):
        item, (allowed,) = row[:-1], keep[row].nonzero()
        if allowed.size:
            scores = k[item].take(allowed, axis=0) @ q[row] / np.sqrt(q.shape[-1])
            exp = np.exp(scores - scores.max())
            weights[row][allowed] = exp / exp.sum()
            out[row] = weights[row][allowed] @ v[item].take(allowed, axis=0)
    return out, weights
