"""The domain of kata 23."""

from checker.judging import kinds
from checker.judging.kinds import SCORES, VALUES
from checker.judging.layouts import SAME_INPUTS, SHARED_LAYOUTS
from checker.judging.sizes import borders, patterns

FUNCTION = "grouped_query_attention"
FEATURES = {
    "sizes": {  # G, H // G, Tq, Tk, D, Dv
        "ordinary sizes": (2, 3, 5, 7, 4, 6),
        "one key head": (1, 3, 5, 7, 4, 6),
        "a key head for every query head": (3, 1, 5, 7, 4, 6),
        "one query": (2, 3, 1, 7, 4, 6),
        "one key, one feature": (2, 3, 5, 1, 1, 1),
        "all sizes one": (1, 1, 1, 1, 1, 1),
        "all sizes two": (2, 2, 2, 2, 2, 2),
    },
    "scores": SCORES,
    "values": {**VALUES, "small weights": "small"},
    "items": {
        "two items": 2,
        "one item": 1,
        "four items": 4,
        "as many items as key heads": "heads",
    },
    "layout": SHARED_LAYOUTS,
}
EDGES = {
    "values": kinds.NO_VALUES,
    "scores": kinds.RARE,
    "alone": kinds.ALONE,
    "keys": borders("keys"),
    "queries": borders("queries", (4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "key heads": borders("key heads", (4, 5, 8, 9, 16, 17, 22, 33, 65, 130)),
    "query heads per key head": borders(
        "query heads per key head", (4, 5, 7, 8, 9, 16, 17, 32, 33, 49, 65)
    ),
    "features": borders("features", (5, 8, 9, 16, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (8, 9, 17, 33, 65)),
    "shared": {"keys and values one array, 3 query heads per key head": True},
    "sizes": {
        **patterns("G H//G Tq Tk D Dv", 2, 3, 5, 7, 4, 6),
        "H = G, Tq = Tk, D = Dv": (2, 1, 3, 3, 4, 4),
        "one query, one key": (2, 3, 1, 1, 4, 6),
        "one head, one query, one key": (1, 1, 1, 1, 4, 6),
        "G = H // G = Tq = Tk": (3, 3, 3, 3, 2, 4),
        "H = Tq = Tk = D": (2, 2, 4, 4, 4, 3),
        "H // G = G * G": (2, 4, 5, 3, 3, 2),
        "D = Dv": (2, 3, 5, 7, 4, 4),
        "17 query heads, one key head": (1, 17, 2, 3, 2, 2),
        "17 query heads, 17 key heads": (17, 1, 2, 3, 2, 2),
    },
}
SAME, EQUAL = SAME_INPUTS, "H = G, Tq = Tk, D = Dv"


def build(rng, *, sizes, scores, values, items, layout, **edge):
    G, rep, Tq, Tk, D, Dv = sizes
    items = G if items == "heads" else items
    if edge:  # many of one, few of all else, and all kinds of scores at once
        G = edge.get("key heads", 1 if "queries" in edge else 2)
        rep = edge.get("query heads per key head", 3 if "shared" in edge else 2)
        G = 1 if rep in (33, 65) else G
        Tq, Tk = edge.get("queries", 1), edge.get("keys", 3)
        D, Dv = edge.get("features", 2), edge.get("value features", 1)
        scores = kinds.mixed
        items = edge.get("many items", 6 if {"keys", "features"} & edge.keys() else 2)
        items = 1 if rep in (9, 17) else items
    if "alone" in edge:
        (Tk, scores), Tq, G, rep, items = edge["alone"], 1, 1, 1, 1
    q, k = scores(rng, (items, G), rep * Tq, Tk, D)
    v = kinds.values_of(rng, (items, G, Tk, Dv), 1.0 if values == "small" else values)
    if values == "small":
        kinds.small_weights(q, k, v)
    q, k, v = (layout(array) for array in (q.reshape(items, G * rep, Tq, D), k, v))
    return q, k, k if "shared" in edge else v
