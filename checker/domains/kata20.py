"""The domain of kata 20."""

import numpy as np

from checker.judging import kinds, layouts
from checker.judging.kinds import SCORES, VALUES
from checker.judging.layouts import SAME_INPUTS, SHARED_LAYOUTS
from checker.judging.sizes import borders, patterns

FUNCTION = "attention"
FEATURES = {
    "sizes": {  # H, Tq, Tk, D, Dv
        "ordinary sizes": (3, 5, 7, 4, 6),
        "one query": (3, 1, 7, 4, 6),
        "one key": (3, 5, 1, 4, 6),
        "one head": (1, 5, 7, 4, 6),
        "heads of one feature": (3, 5, 7, 1, 1),
        "all sizes one": (1, 1, 1, 1, 1),
        "all sizes two": (2, 2, 2, 2, 2),
    },
    "scores": SCORES,
    "values": {**VALUES, "small weights": "small"},
    "items": {"two items": 2, "one item": 1, "four items": 4},
    "layout": SHARED_LAYOUTS,
}
EDGES = {
    "values": kinds.NO_VALUES,
    "scores": kinds.RARE,
    "alone": kinds.ALONE,
    "same arrays": layouts.SAME_ARRAYS,
    "keys": borders("keys"),
    "queries": borders("queries", (4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "heads": borders("heads", (4, 5, 8, 9, 16, 17, 33, 65)),
    "features": borders("features per head", (5, 8, 9, 16, 17, 33, 65, 130, 257)),
    "value features": borders("value features per head", (8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (8, 9, 17, 33, 65)),
    "sizes": {
        **patterns("H Tq Tk D Dv", 3, 5, 7, 4, 6),
        "all sizes three": (3, 3, 3, 3, 3),
        "all sizes four": (4, 4, 4, 4, 4),
        "H = Tq = Tk": (3, 3, 3, 2, 4),
        "Tq = Tk = H * D": (2, 6, 6, 3, 3),
        "one query, one key": (3, 1, 1, 4, 6),
        "one head, one query, one key": (1, 1, 1, 4, 6),
        "Tq and Tk divisible by H": (2, 4, 6, 5, 3),
    },
}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, values, items, layout, **edge):
    H, Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        H, D = edge.get("heads", 1 if "queries" in edge else 2), edge.get("features", 2)
        Tq, Tk = edge.get("queries", 1 if "keys" in edge else 2), edge.get("keys", 3)
        Dv, scores = edge.get("value features", 1), kinds.mixed
        items = edge.get("many items", 2 if {"queries", "heads"} & edge.keys() else 6)
        items = 1 if H in (9, 33) else items
    if "alone" in edge:
        (Tk, scores), Tq, H, items = edge["alone"], 1, 1, 1
    if "same arrays" in edge:
        rng, scores, H, D, Dv = np.random.default_rng(0), kinds.ordinary, 1, 4, 4
    q, k = scores(rng, (items, H), Tq, Tk, D)
    v = kinds.values_of(rng, (items, H, Tk, Dv), 1.0 if values == "small" else values)
    if values == "small":
        kinds.small_weights(q, k, v)
    return *(layout(kinds.merged(array)) for array in (q, k, v)), edge.get("same arrays", H)
