"""The domain of kata 12."""

import numpy as np

from checker.judging import tokens
from checker.judging.kinds import LIMIT, NO_VALUES, VALUES
from checker.judging.layouts import LAYOUTS
from checker.judging.masks import LATE
from checker.judging.sizes import borders, patterns


def random(rng, B, T):
    """Half of the tokens are real, at least one in every sentence."""
    return (rng.random((B, T)) < 0.5) | one_token(rng, B, T)


def no_padding(rng, B, T):
    """All tokens are real."""
    return np.ones((B, T), bool)


def only_padding(rng, B, T):
    """No token is real."""
    return np.zeros((B, T), bool)


def one_token(rng, B, T):
    """One token of every sentence is real."""
    return np.arange(T) == rng.integers(T, size=(B, 1))


def one_padding(rng, B, T):
    """One token of every sentence is padding."""
    return ~one_token(rng, B, T)


def padded_right(rng, B, T):
    """Padding after sentences of different lengths, some of them empty."""
    return np.arange(T) < np.arange(B - 1, -1, -1)[:, None] % (T + 1)


def middle_padding(rng, B, T):
    """A token in the middle is padding, another one in neighbouring sentences."""
    return np.arange(T) != (T // 2 + np.arange(B)[:, None]) % T


def half_padded(rng, B, T):
    """Padding after half of the tokens, and one more in every further sentence."""
    return np.arange(T) < T // 2 + np.arange(B)[:, None] % 2


def only_the_first(rng, B, T):
    """The first sentence is full, and all others are empty."""
    return np.broadcast_to(np.arange(B)[:, None] == 0, (B, T)).copy()


def every_other(rng, B, T):
    """Every other token is real, beginning with the second in every other sentence."""
    return (np.arange(T) + np.arange(B)[:, None]) % 2 == 0


def only_last(rng, B, T):
    """The last token alone is real."""
    return np.broadcast_to(np.arange(T) == T - 1, (B, T)).copy()


HALF_PADDED = (8, 9, 16, 17, 33, 65, 72, 257)

FUNCTION = "self_attention"
FEATURES = {
    "sizes": {  # T, E, D, Dv
        "ordinary sizes": (5, 7, 4, 6),
        "one token": (1, 7, 4, 6),
        "two tokens": (2, 7, 4, 6),
        "one feature": (5, 1, 1, 1),
        "all sizes one": (1, 1, 1, 1),
        "all sizes two": (2, 2, 2, 2),
        "all sizes four": (4, 4, 4, 4),
    },
    "scores": tokens.TOKENS,
    "padding": {
        "random padding": random,
        "no padding": no_padding,
        "padding only": only_padding,
        "one real token": one_token,
        "one padding token": one_padding,
        "padding at the end": padded_right,
        "every other token padding": every_other,
    },
    "values": {**VALUES, "small weights": "small", "huge padding": "huge"},
    "items": {"two items": 2, "one item": 1, "four items": 4, "five items": 5},
    "layout": LAYOUTS,
}
EDGES = {
    "values": NO_VALUES,
    "scores": tokens.RARE,
    "tokens": borders("tokens"),
    "padded tokens": {
        **{f"{size} tokens, random padding": (size, random) for size in (8, 9, 16, 17, 33, 65)},
        **{f"{size} tokens, padding at the end": (size, half_padded) for size in HALF_PADDED},
        **{f"{size} tokens, only the last real": (size, only_last) for size in LATE},
        **{f"{size} tokens, all real": (size, no_padding) for size in LATE},
    },
    "ends": {f"empty sentences at the end: {empty}": empty for empty in (1, 2)},
    "text features": borders("text features", (2, 3, 8, 9, 17, 33, 65, 130)),
    "query features": borders("query features", (8, 9, 16, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (8, 9, 17, 33, 65, 130)),
    "many items": borders("items", (8, 9, 17, 33, 65)),
    "padding": {
        "padding at the start": lambda rng, B, T: padded_right(rng, B, T)[:, ::-1],
        "an empty first sentence": lambda rng, B, T: (np.arange(B) > 0)[:, None] & np.ones(T, bool),
    },
    "sizes": {
        **patterns("T E D Dv", 5, 7, 4, 6),
        "T = D": (3, 4, 3, 6),
        "T = E": (4, 4, 3, 6),
        "T = Dv": (6, 4, 3, 6),
        "D = Dv": (5, 4, 3, 3),
        "E = D = Dv": (5, 3, 3, 3),
        "one token, one feature": (1, 1, 3, 6),
    },
}
SAME = {  # places: x, keep, Wq, Wk, Wv
    "Wq, Wk and Wv one array": (2, 3, 4),
    "Wq and Wk one array": (2, 3),
    "Wk and Wv one array": (3, 4),
}


def build(rng, *, sizes, scores, padding, values, items, layout, **edge):
    T, E, D, Dv = sizes
    if edge:  # many of one, few of all else, and several kinds of scores at once
        T, padding = edge.get("padded tokens") or (edge.get("tokens", 3), middle_padding)
        E, D = edge.get("text features", 4), edge.get("query features", 1)
        Dv, items = edge.get("value features", 1), edge.get("many items", 1 if T > 33 else 2)
        scores = tokens.mixed
    if "ends" in edge:
        items, padding = edge["ends"] + 1, only_the_first
    x, Wq, Wk = scores(rng, (items,), T, E, 1, D)
    Wv = tokens.projection(rng, x, Dv, 1.0 if isinstance(values, str) else values)
    keep = padding(rng, items, T)
    if values == "small":
        tokens.small_weights(x, Wq, Wk, Wv, D)
    if values == "huge" and E > 3:  # two features count for scores only in the padding
        x[~keep, -2:] *= 1e9, 1e154 / np.abs(x).max(initial=1.0)
        x[keep, -1], Wv[-1] = 0.0, LIMIT
        Wq[-2:], Wk[-2:] = Wq[-2:] / [[1e9], [1e154]], Wk[-2:] / [[1e9], [1e154]]
    return tuple(layout(array) for array in (x, keep, Wq, Wk, Wv))
