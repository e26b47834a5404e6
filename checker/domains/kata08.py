"""The domain of kata 08."""

import numpy as np

from checker.judging import kinds
from checker.judging.kinds import SCORES, VALUES
from checker.judging.layouts import SAME_INPUTS, SHARED_LAYOUTS
from checker.judging.sizes import SIZES, borders, patterns


def different(Tk, B):
    """Half of the tokens, all, one, all but one, all, and so on."""
    return np.resize([(Tk + 1) // 2, Tk, 1, max(Tk - 1, 1), Tk], B)


def full(Tk, B):
    """No padding."""
    return np.full(B, Tk)


def short(Tk, B):
    """One token, three, two, and so on."""
    return np.resize([1, 3, 2], B)


FUNCTION = "padded_attention"
FEATURES = {
    "sizes": SIZES,
    "scores": SCORES,
    "lengths": {
        "different lengths": different,
        "no padding": full,
        "one token of padding": lambda Tk, B: np.full(B, max(Tk - 1, 1)),
        "one token in every sentence": lambda Tk, B: np.ones(B, int),
        "growing lengths": lambda Tk, B: np.minimum(np.arange(1, B + 1), Tk),
        "a full sentence first, then short ones": lambda Tk, B: np.maximum(
            Tk - np.arange(B) * Tk, 1
        ),
    },
    "batch": {"3 sentences": 3, "1 sentence": 1, "2 sentences": 2, "4 sentences": 4},
    "values": {**VALUES, "huge values in the padding": "huge", "small weights": "small"},
    "layout": SHARED_LAYOUTS,
}
EDGES = {
    "values": kinds.NO_VALUES,
    "scores": kinds.RARE,
    "alone": kinds.ALONE,
    "sizes": patterns("Tq Tk D Dv", 3, 5, 4, 6),
    "keys": borders("keys"),
    "full": borders("keys, no padding,", (9, 17, 33, 65, 129)),
    "short": borders("keys, few filled,", (9, 17, 33, 65, 129)),
    "queries": borders("queries", (5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "features": borders("features", (9, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (9, 17, 33, 65, 130)),
    "items": borders("sentences", (9, 17, 33, 65, 129)),
}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, lengths, batch, values, layout, **edge):
    Tq, Tk, D, Dv = sizes
    if edge:  # many of one, few of all else, and all kinds of scores at once
        Tq, Tk = edge.get("queries", 2), edge.get("keys", 3)
        D, Dv = edge.get("features", 2), edge.get("value features", 1)
        scores, batch = kinds.mixed, edge.get("items", 2 if "queries" in edge else 6)
    if "full" in edge:
        Tk, lengths = edge["full"], full
    if "short" in edge:
        Tk, lengths = edge["short"], short
    if "alone" in edge:
        (Tk, scores), Tq, batch, lengths = edge["alone"], 1, 1, full
    q, k = scores(rng, (batch,), Tq, Tk, D)
    v = kinds.values_of(rng, (batch, Tk, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        kinds.small_weights(q, k, v)
    filled = lengths(Tk, batch)
    if values == "huge":
        padding = (np.arange(Tk) >= filled[:, None])[..., None]
        k, v = np.where(padding, -k, k), np.where(padding, kinds.HIDDEN, v)
    return tuple(layout(array) for array in (q, k, v, filled))
