"""The domain of kata 21."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import LIMIT, VALUES
from checker.judging.layouts import LAYOUTS, SAME_ARRAYS, SAME_PROJECTIONS
from checker.judging.sizes import BORDERS, borders, patterns


def from_the_lowest(rng, lead, T, E, H, D):
    """Scores that rise from -1e6 to 1e6 along the tokens."""
    x, Wq, Wk = tokens.at_the_limit(rng, lead, T, E, H, D)
    x[..., 0], x[..., 1] = 1.0, np.linspace(-LIMIT, LIMIT, T)
    return x, Wq, Wk


FUNCTION = "causal_attention"
FEATURES = {
    "sizes": {  # T, H, D, E
        "ordinary sizes": (5, 3, 4, 7),
        "one token": (1, 3, 4, 7),
        "one head": (5, 1, 4, 7),
        "heads of one feature": (5, 3, 1, 7),
        "all sizes one": (1, 1, 1, 1),
        "H * D = E": (4, 3, 2, 6),
        "T = H * D = E": (4, 2, 2, 4),
    },
    "scores": tokens.TOKENS,
    "values": {**VALUES, "small weights": "small", "Wo with ones on its diagonal": "diagonal"},
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
    "values": tokens.OUTPUTS,
    "same arrays": SAME_ARRAYS,
    "equal": tokens.EQUAL,
    "scores": {**tokens.RARE, "scores rising from -1e6 to 1e6": from_the_lowest},
    "tokens": borders("tokens", (*BORDERS[:-1], 73, 100, 200, 259)),
    "heads": borders("heads", (4, 5, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (8, 9, 16, 17, 33, 65, 130, 257)),
    "features": borders("features", (1, 2, 8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (3, 4, 5, 8, 9, 16, 17, 33, 65, 129)),
    "sizes": {
        **patterns("T H D E", 5, 3, 4, 7),
        "T = H = D = E = 2": (2, 2, 2, 2),
        "as many heads as tokens": (3, 3, 2, 5),
    },
}
SAME, EQUAL = SAME_PROJECTIONS, "ordinary sizes"


def build(rng, *, sizes, scores, values, items, layout, **edge):
    T, H, D, E = sizes
    items = {"tokens": T, "heads": H}.get(items, items)
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
    if edge and T % 2 == 0:
        x = x[:, ::-1].copy()  # scores fall along these tokens
    Wv = tokens.projection(rng, x, H * D, 1.0 if isinstance(values, str) else values)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    Wo = tokens.output_projection(rng, H * D, E, values)
    return *(layout(array) for array in (x.swapaxes(0, 1), Wq, Wk, Wv, Wo)), edge.get(
        "same arrays", H
    )
