"""The domain of kata 16."""

import numpy as np

from checker.judging import kinds
from checker.judging.kinds import SCORES
from checker.judging.layouts import LAYOUTS
from checker.judging.sizes import borders, patterns

ANYTHING = [np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0]
HIGHEST = np.finfo(float).max


def different(S, B):
    """Half of the rows, all, one, all but one, all, and so on."""
    return np.resize([(S + 1) // 2, S, 1, max(S - 1, 1), S], B)


def at_the_limit(rng, lead, Tq, Tk, D):
    """Scores up to a million, in every head: with three keys or more, three compete."""
    q, k = kinds.at_the_limit(rng, lead, Tq, Tk, D)
    levels = np.broadcast_to(np.resize([1e6, 1e6 - 0.5, 1e6, -1e6, 3e5], Tk), (*lead, Tk))
    k[..., 0] = rng.permuted(levels, axis=-1)
    return q, k


FUNCTION = "decode"
FEATURES = {
    "sizes": {  # rows, D, Dv
        "ordinary sizes": (5, 4, 6),
        "one row": (1, 4, 6),
        "one feature": (5, 1, 1),
        "all sizes one": (1, 1, 1),
        "all sizes two": (2, 2, 2),
        "all sizes four": (4, 4, 4),
    },
    "scores": {
        **{name: SCORES[name] for name in SCORES if name != "rows of scores far apart"},
        "scores at the limit": at_the_limit,
    },
    "batch": {  # B, H
        "3 items, 2 heads": (3, 2),
        "1 item, 1 head": (1, 1),
        "1 item, 4 heads": (1, 4),
        "4 items, 1 head": (4, 1),
        "2 items, 2 heads": (2, 2),
        "4 items, 4 heads": (4, 4),
    },
    "lengths": {
        "different lengths": different,
        "every row filled": lambda S, B: np.full(B, S),
        "every row but one filled": lambda S, B: np.full(B, max(S - 1, 1)),
        "one row filled": lambda S, B: np.ones(B, int),
        "two long items first": lambda S, B: np.resize([S, S, 1], B),
        "growing lengths": lambda S, B: np.minimum(np.arange(1, B + 1), S),
    },
    "rest": {
        "ordinary numbers in the rest": None,
        "zeros in the rest": [0.0],
        "NaN in the rest": [np.nan],
        "inf in the rest": [np.inf],
        "-inf in the rest": [-np.inf],
        "huge numbers in the rest": [1e300, -1e300, HIGHEST],
        "anything in the rest": ANYTHING,
    },
    "values": {
        "ordinary values": 1.0,
        "values at the limit": kinds.LIMIT,
        "small weights": "small",
        "a NaN in a filled value": "NaN value",
        "a NaN in a filled key": "NaN key",
        "a NaN in a filled value and in a filled key": "NaN value and key",
        "NaN in all of a filled value and of a filled key": "NaN in all of value and key",
    },
    "layout": LAYOUTS,
}
EDGES = {
    "values": {"identity values": kinds.IDENTITY, **kinds.NO_VALUES},
    "sizes": patterns("rows D Dv", 5, 4, 6),
    "scores": kinds.RARE,
    "alone": kinds.ALONE,
    "rows": borders("rows"),
    "filled": borders("filled rows"),
    "features": borders("features", (9, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (9, 17, 33, 65, 130)),
    "items": borders("items", (9, 17, 33, 65, 129)),
    "heads": borders("heads", (9, 17, 33, 65, 129)),
}
SAME = {"keys and values one array": (1, 2)}


def build(rng, *, sizes, scores, batch, lengths, rest, values, layout, **edge):
    (S, D, Dv), (B, H) = sizes, batch
    if edge:  # many of one, few of all else, and all kinds of scores at once
        S = edge.get("rows", edge.get("filled", 0) + 3)
        D, Dv = edge.get("features", 2), edge.get("value features", 1)
        B, H = edge.get("items", 2 if "heads" in edge else 6), edge.get("heads", 2)
        scores, rest = kinds.mixed, ANYTHING
    filled = np.full(B, edge["filled"]) if "filled" in edge else lengths(S, B)
    if edge.get("items") in (9, 65):
        filled = np.where(np.arange(B) == B // 2, 1, S)
    if "alone" in edge:
        (S, scores), B, H, filled = edge["alone"], 1, 1, np.array([edge["alone"][0]])
    q, keys = scores(rng, (B, H), 1, S, D)
    buffers = keys, kinds.values_of(rng, (B, H, S, Dv), 1.0 if isinstance(values, str) else values)
    if values == "small":
        kinds.small_weights(q, *buffers)
    elif isinstance(values, str):
        add_nan(values, q, *buffers, filled)
    for buffer in buffers if rest else ():
        empty = np.arange(S)[:, None] >= filled[:, None, None, None]
        buffer[...] = np.where(empty, rng.choice(rest, size=buffer.shape), buffer)
    return tuple(layout(array) for array in (q[:, :, 0], *buffers, filled))


def add_nan(where, q, keys, values, filled):
    """Put NaN into the last value of the first item's last head, and into the last item's key.

    The value is in the row with the highest score, so that its weight is above zero.
    """
    if "value" in where:
        highest = (keys[0, -1, : filled[0]] @ q[0, -1, 0]).argmax()
        values[0, -1, highest, slice(None) if "all" in where else -1] = np.nan
    if "key" in where:
        keys[-1, 0, filled[-1] - 1, slice(None) if "all" in where else -1] = np.nan
