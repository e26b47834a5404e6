"""Inputs of every kind for functions of q, k, v and perhaps a mask, as many katas have them."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array
from checker.judging.kinds import (
    LAYOUTS,
    LEADING,
    SCORES,
    SIZES,
    VALUES,
    Lead,
    Mask,
    Rng,
    Scores,
    borders,
    mixed,
    small_weights,
    values_of,
)

ATTENTION: Final[dict[str, dict[str, Any]]] = {
    "sizes": SIZES,
    "scores": SCORES,
    "leading": LEADING,
    "values": {**VALUES, "small weights": "small"},
    "layout": LAYOUTS,
}
ATTENTION_EDGES: Final[dict[str, dict[str, Any]]] = {
    "keys": borders("keys"),
    "queries": borders("queries"),
    "features": borders("features", (9, 17, 33, 65, 130)),
    "items": borders("items", (9, 17, 33, 65)),
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
    **edge: int,
) -> tuple[Any, ...]:
    """q, k, v and, with a kind of mask, a mask, for `ATTENTION` and `ATTENTION_EDGES`."""
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        Tq, Tk, D, Dv = edge.get("queries", 2), edge.get("keys", 3), edge.get("features", 2), 1
        scores, leading = mixed, (edge.get("items", 6),)
    q, k = scores(rng, leading, Tq, Tk, D)
    v = values_of(rng, (*leading, Tk, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        small_weights(q, k, v)
    if mask is None:
        return tuple(layout(array) for array in (q, k, v))
    keep = mask(rng, leading, Tq, Tk)
    if values == "huge":
        reach: Array = np.broadcast_to(keep, (*leading, Tq, Tk))
        allowed = reach.max(axis=-2)[..., None]
        k, v = np.where(allowed, k, -k), np.where(allowed, v, -1e300)
    return tuple(layout(array) for array in (q, k, v, keep))
