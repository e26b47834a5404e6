"""The domain of kata 04."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import VALUES
from checker.judging.layouts import LAYOUTS, SAME_ARRAYS, SAME_PROJECTIONS
from checker.judging.sizes import borders, patterns

FUNCTION = "multi_head_attention"
FEATURES = {
    "sizes": {  # T, H, D, E
        "ordinary sizes": (5, 3, 4, 7),
        "one token": (1, 3, 4, 7),
        "one head": (5, 1, 4, 7),
        "heads of one feature": (5, 3, 1, 7),
        "all sizes one": (1, 1, 1, 1),
        "H * D = E": (3, 3, 2, 6),
        "T = H * D = E": (4, 2, 2, 4),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small", "Wo with ones on its diagonal": "diagonal"},
    "items": {"two items": 2, "one item": 1, "four items": 4},
    "layout": LAYOUTS,
}
EDGES = {
    "values": tokens.OUTPUTS,
    "same arrays": SAME_ARRAYS,
    "scores": tokens.RARE,
    "equal": tokens.EQUAL,
    "tokens": borders("tokens"),
    "heads": borders("heads", (4, 5, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (8, 9, 16, 17, 33, 65, 130, 257)),
    "features": borders("features", (1, 2, 8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (3, 8, 9, 17, 33, 65)),
    "sizes": {
        **patterns("T H D E", 5, 3, 4, 7),
        "T = H = D = E = 2": (2, 2, 2, 2),
        "T = H = D = E = 3": (3, 3, 3, 3),
        "one token, one head": (1, 1, 4, 7),
        "one token, H * D = E": (1, 2, 2, 4),
        "one head, D = E": (3, 1, 4, 4),
    },
}
SAME, EQUAL = SAME_PROJECTIONS, "ordinary sizes"


def build(rng, *, sizes, scores, values, items, layout, **edge):
    T, H, D, E = sizes
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, E, D = edge.get("tokens", 3), edge.get("features", 4), edge.get("features per head", 1)
        H, items = edge.get("heads", 1 if T > 20 else 2), edge.get("many items", 1)
        scores = tokens.mixed
    if "equal" in edge:
        items, T, H, D, E = edge["equal"]
    if "same arrays" in edge:
        rng, scores, H, D = np.random.default_rng(0), tokens.ordinary, 1, 4
    x, Wq, Wk = scores(rng, (items,), T, E, H, D)
    Wv = tokens.projection(rng, x, H * D, 1.0 if isinstance(values, str) else values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    Wo = tokens.output_projection(rng, H * D, E, values)
    return *(layout(array) for array in (x, Wq, Wk, Wv, Wo)), edge.get("same arrays", H)
