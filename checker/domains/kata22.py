"""The domain of kata 22."""

import numpy as np

from checker.judging import kinds, layouts, masks, tokens
from checker.judging.kinds import LIMIT, VALUES
from checker.judging.layouts import LAYOUTS
from checker.judging.sizes import BORDERS, borders, patterns


def none_in_the_first_item(rng, lead, B, Tk):
    """No memory token of the first item, half of them in the others."""
    return masks.random_mask(rng, lead, B, Tk) & (np.arange(B) > 0)[:, None]


def none_allowed(rng, lead, B, Tk):
    """No memory token."""
    return np.zeros((*lead, B, Tk), bool)


FUNCTION = "cross_attention"
FEATURES = {
    "sizes": {  # Tq, Tk, H, D, E
        "ordinary sizes": (4, 6, 3, 5, 8),
        "one token of x": (1, 6, 3, 5, 8),
        "one memory token": (4, 1, 3, 5, 8),
        "one head": (4, 6, 1, 5, 8),
        "all sizes one": (1, 1, 1, 1, 1),
        "Tq = Tk, H * D = E": (4, 4, 3, 2, 6),
        "Tq = Tk = H * D = E": (4, 4, 2, 2, 4),
    },
    "scores": tokens.TOKENS,
    "mask": {
        "a random mask": masks.random_mask,
        "all memory allowed": masks.all_allowed,
        "one memory token allowed": masks.one_allowed,
        "one memory token blocked": masks.all_but_one,
        "every other memory token allowed": masks.alternating,
        "no memory allowed in the first item": none_in_the_first_item,
        "no memory allowed": none_allowed,
    },
    "values": {
        **VALUES,
        "small weights": "small",
        "Wo with ones on its diagonal": "diagonal",
        "huge values where blocked": "huge",
    },
    "items": {
        "two items": 2,
        "one item": 1,
        "as many items as memory tokens": "memory",
        "as many items as heads": "heads",
    },
    "layout": LAYOUTS,
}
EDGES = {
    "values": tokens.OUTPUTS,
    "scores": {
        **tokens.RARE,
        "scores of -1e6, blocked ones of 1e6": "apart",
    },
    "memory": borders("memory tokens", [n for n in BORDERS if n not in (127, 131)]),
    "same arrays": layouts.SAME_ARRAYS,
    "equal": tokens.EQUAL,
    "masked memory": {
        **{f"only the last of {keys} allowed": (keys, masks.only_last) for keys in masks.LATE},
        **{f"all of {keys} allowed": (keys, masks.all_allowed) for keys in masks.LATE},
        **{f"none of {keys} allowed": (keys, none_allowed) for keys in (9, 129)},
        **{f"the last of {keys} blocked": (keys, masks.shut_last) for keys in (9, 129)},
        **{
            f"the first of {keys} blocked in one item": (keys, masks.shut_first)
            for keys in (9, 129)
        },
    },
    "queries": borders("tokens of x", (5, 8, 9, 16, 17, 32, 33, 64, 65, 129)),
    "in all": borders("tokens in all", (8, 16, 32, 64, 128)),
    "heads": borders("heads", (2, 4, 5, 8, 9, 16, 17, 33, 65)),
    "features per head": borders("features per head", (1, 8, 9, 17, 33, 65, 130, 257)),
    "features": borders("features", (1, 2, 8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (3, 4, 5, 8, 9, 17, 33, 65, 129)),
    "sizes": {
        **patterns("Tq Tk H D E", 4, 6, 3, 5, 8),
        "all sizes two": (2, 2, 2, 2, 2),
        "all sizes three": (3, 3, 3, 3, 3),
        "Tq = H": (3, 5, 3, 2, 7),
        "Tq + Tk = E": (3, 5, 2, 2, 8),
    },
}
# Scores of a million are rounded to 1e-10, as in `kinds`.
TOLERANCES = {**kinds.TOLERANCES, "scores of -1e6, blocked ones of 1e6": 4e-9}
SAME = {
    "x and memory one array": (0, 1),
    "Wq, Wk and Wv one array": (3, 4, 5),
    "Wq and Wk one array": (3, 4),
    "Wk and Wv one array": (4, 5),
}
EQUAL = "Tq = Tk, H * D = E"


def build(rng, *, sizes, scores, mask, values, items, layout, **edge):
    Tq, Tk, H, D, E = sizes
    B = {"memory": Tk, "heads": H}.get(items, items)
    if edge:  # many of one, few of all else, and several kinds of scores at once
        Tq, Tk = edge.get("queries", 3), edge.get("memory", edge.get("in all", 5) - 3)
        few = 1 if Tq + Tk > 20 else 2
        E, D = edge.get("features", 4), edge.get("features per head", few)
        H = edge.get("heads", few)
        B = edge.get("many items", 1 if H in (9, 33) else 2)
        scores = tokens.mixed
    if "equal" in edge:
        B, Tq, H, D, E = edge["equal"]
        Tk = Tq
    if "masked memory" in edge:
        Tk, mask = edge["masked memory"]
    if "same arrays" in edge:
        rng, scores, H, D = np.random.default_rng(0), tokens.ordinary, 1, 4
    score = tokens.at_the_limit if scores == "apart" else scores
    both, Wq, Wk = score(rng, (B,), Tq + Tk, E, H, D)
    Wv = tokens.projection(rng, both, H * D, 1.0 if isinstance(values, str) else values)
    keep = mask(rng, (), B, Tk)
    if scores == "apart":
        both[..., 0], both[:, :Tq, 1], both[:, Tq:, 1] = 1.0, -LIMIT, np.where(keep, -LIMIT, LIMIT)
    if edge and "masked memory" not in edge:
        keep[0, 0], keep[0, -1] = False, True
    if edge:
        both[-1, Tq:] = both[-1, : Tq - 1 : -1].copy()  # scores fall along the memory of this item
    if values == "small":
        tokens.small_weights(both, Wq, Wk, Wv, D)
    if values == "huge" and E > 2:  # in a feature that no key depends on
        Wk[-1] = 0.0
        both[:, Tq:, -1] = np.where(keep, both[:, Tq:, -1], -1e300)
    Wo = tokens.output_projection(rng, H * D, E, values)
    arrays = both[:, :Tq], both[:, Tq:], keep, Wq, Wk, Wv, Wo
    return *(layout(array) for array in arrays), edge.get("same arrays", H)
