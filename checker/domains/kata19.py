"""The domain of kata 19."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import LIMIT, NO_VALUES, VALUES
from checker.judging.layouts import LAYOUTS, SAME_PROJECTIONS
from checker.judging.sizes import BORDERS, borders, patterns

FUNCTION = "multi_head_attention"
FEATURES = {
    "sizes": {  # T, H, D, Dv, E
        "ordinary sizes": (5, 3, 4, 6, 7),
        "one token": (1, 3, 4, 6, 7),
        "one head": (5, 1, 4, 6, 7),
        "heads of one feature": (5, 3, 1, 1, 7),
        "all sizes one": (1, 1, 1, 1, 1),
        "T = D = Dv, H = E": (4, 3, 4, 4, 3),
        "all sizes three": (3, 3, 3, 3, 3),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small", "output projections at the limit": "Wo"},
    "items": {
        "two items": 2,
        "one item": 1,
        "as many items as tokens": "tokens",
        "as many items as heads": "heads",
        "seven items": 7,
    },
    "layout": LAYOUTS,
}
EDGES = {
    "values": {
        "an output projection of zeros in the first head": "zeros",
        "output projections of zeros": "all zeros",
        **NO_VALUES,
    },
    "scores": tokens.RARE,
    "equal": tokens.EQUAL,
    "tokens": borders("tokens", [n for n in BORDERS if n not in (127, 131)]),
    "heads": borders("heads", (2, 4, 5, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (2, 3, 8, 9, 16, 17, 33, 65, 130, 257)),
    "values per head": borders("values per head", (3, 8, 9, 17, 33, 65, 130)),
    "features": borders("features", (1, 2, 8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (3, 4, 5, 8, 9, 17, 33, 65, 129)),
    "sizes": {
        **patterns("T H D Dv E", 5, 3, 4, 6, 7),
        "all sizes two": (2, 2, 2, 2, 2),
        "H = D, Dv = E": (5, 3, 3, 7, 7),
        "H = Dv, T = E": (7, 3, 4, 3, 7),
        "T = H, D = E": (3, 3, 5, 2, 5),
        "D = Dv, T = H * D": (6, 3, 2, 2, 7),
    },
}
SAME = SAME_PROJECTIONS


def build(rng, *, sizes, scores, values, items, layout, **edge):
    T, H, D, Dv, E = sizes
    B = {"tokens": T, "heads": H}.get(items, items)
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, E, Dv = edge.get("tokens", 3), edge.get("features", 4), edge.get("values per head", 1)
        few = 1 if T > 20 else 2
        D = edge.get("features per head", few)
        H = edge.get("heads", few)
        B = edge.get("many items", 1 if H in (9, 33) else few)
        scores = tokens.mixed
    if "equal" in edge:
        B, T, H, D, E = edge["equal"]
        Dv = D
    x, Wq, Wk = scores(rng, (B,), T, E, H, D)
    if edge and T > 100:
        x[..., 0] *= 2.0  # then exp overflows unless the maximum is that of all keys
    if edge and T % 2 == 0:
        x = x[:, ::-1].copy()  # scores fall along these tokens
    Wv = tokens.projection(rng, x, H * Dv, 1.0 if isinstance(values, str) else values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    Wo = rng.normal(size=(H, Dv, E))
    if values == "Wo":
        Wo = np.sign(Wo) * LIMIT
    if values == "zeros":
        Wo[0] = 0.0
    if values == "all zeros":
        Wo[...] = 0.0
    by_head = (W.reshape(E, H, -1) for W in (Wq, Wk, Wv))
    return tuple(layout(array) for array in (x, *by_head, Wo))
