"""The domain of kata 18."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import VALUES
from checker.judging.layouts import LAYOUTS, SAME_ARRAYS
from checker.judging.sizes import BORDERS, borders, patterns

FUNCTION = "self_attention"
FEATURES = {
    "sizes": {  # T, H, D, E
        "ordinary sizes": (5, 4, 2, 7),
        "one token": (1, 4, 2, 7),
        "one head": (5, 1, 4, 7),
        "heads of one feature": (5, 4, 1, 7),
        "all sizes one": (1, 1, 1, 1),
        "H * D = E, H = 3": (4, 3, 2, 6),
        "H * 3 * D = E": (3, 2, 2, 12),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small", "Wo with ones on its diagonal": "diagonal"},
    "items": {"two items": 2, "one item": 1, "three items": 3, "as many items as tokens": "tokens"},
    "layout": LAYOUTS,
}
EDGES = {
    "values": tokens.OUTPUTS,
    "same arrays": SAME_ARRAYS,
    "scores": tokens.RARE,
    "equal": tokens.EQUAL,
    "tokens": borders("tokens", [n for n in BORDERS if n not in (127, 131)]),
    "heads": borders("heads", (2, 3, 5, 6, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (3, 8, 9, 16, 17, 33, 65, 130, 257)),
    "features": borders("features", (1, 2, 3, 8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (4, 5, 8, 9, 16, 17, 33, 65, 129)),
    "sizes": {
        **patterns("T H D E", 5, 4, 2, 7),
        "all sizes two": (2, 2, 2, 2),
        "all sizes three": (3, 3, 3, 3),
        "three heads of three features": (5, 3, 3, 7),
        "T = H * D": (6, 3, 2, 5),
        "T = 3 * D": (6, 4, 2, 5),
    },
}


def build(rng, *, sizes, scores, values, items, layout, **edge):
    T, H, D, E = sizes
    items = T if items == "tokens" else items
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, E = edge.get("tokens", 3), edge.get("features", 4)
        few = 1 if T > 20 else 2
        D = edge.get("features per head", few)
        H = edge.get("heads", few)
        items = edge.get("many items", 1 if H in (9, 33) else few)
        scores = tokens.mixed
    if "equal" in edge:
        items, T, H, D, E = edge["equal"]
    if "same arrays" in edge:
        rng, scores, H, D = np.random.default_rng(0), tokens.ordinary, 1, 4
    x, Wq, Wk = scores(rng, (items,), T, E, H, D)
    if edge and T > 100:
        x[..., 0] *= 2.0  # then exp overflows unless the maximum is that of all keys
    if edge and T % 2 == 0:
        x = x[:, ::-1].copy()  # scores fall along these tokens
    Wv = tokens.projection(rng, x, H * D, 1.0 if isinstance(values, str) else values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    Wqkv = np.stack([W.reshape(E, H, D) for W in (Wq, Wk, Wv)], axis=2).reshape(E, -1)
    Wo = tokens.output_projection(rng, H * D, E, values)
    return *(layout(array) for array in (x, Wqkv, Wo)), edge.get("same arrays", H)
