"""The domain of kata 09."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import NO_VALUES, VALUES
from checker.judging.layouts import LAYOUTS, SAME_PROJECTIONS
from checker.judging.sizes import BORDERS, LEADING, borders, patterns

FUNCTION = "causal_attention"
FEATURES = {
    "sizes": {  # T, E, D, Dv
        "ordinary sizes": (5, 4, 3, 6),
        "one token": (1, 4, 3, 6),
        "two tokens": (2, 4, 3, 6),
        "one feature": (5, 1, 1, 1),
        "all sizes one": (1, 1, 1, 1),
        "all sizes two": (2, 2, 2, 2),
        "all sizes four": (4, 4, 4, 4),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small"},
    "leading": LEADING,
    "layout": LAYOUTS,
}
EDGES = {
    "values": {**NO_VALUES, "tokens and values of an identity": "one"},
    "scores": tokens.RARE,
    "tokens": borders("tokens", (*BORDERS, 6, 12, 72, 200)),
    "text features": borders("features", (2, 3, 8, 9, 17, 33, 65, 130)),
    "query features": borders("query features", (8, 9, 16, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (8, 9, 17, 33, 65, 130)),
    "sizes": {
        **patterns("T E D Dv", 5, 4, 3, 6),
        "T = D": (3, 4, 3, 6),
        "T = E": (4, 4, 3, 6),
        "T = Dv": (6, 4, 3, 6),
        "D = Dv": (5, 4, 3, 3),
        "E = D = Dv": (5, 3, 3, 3),
        "one token, one feature": (1, 1, 3, 6),
    },
    "texts": borders("texts", (5, 8, 9, 17, 33, 65)),
}
SAME = SAME_PROJECTIONS


def build(rng, *, sizes, scores, values, leading, layout, **edge):
    T, E, D, Dv = sizes
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, E = edge.get("tokens", 3), edge.get("text features", 4)
        D, Dv = edge.get("query features", 2), edge.get("value features", 1)
        leading, scores = (edge.get("texts", 1),), tokens.mixed
    x, Wq, Wk = scores(rng, leading, T, E, 1, D)
    Wv = tokens.projection(rng, x, Dv, 1.0 if isinstance(values, str) else values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    if values == "one":  # T = E = Dv: then out is equal to weights
        x, Wv = np.broadcast_to(np.eye(E), (*leading, E, E)), np.eye(E)
    return tuple(layout(array) for array in (x, Wq, Wk, Wv))
