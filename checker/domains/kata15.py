"""The domain of kata 15."""

import numpy as np

from checker.judging import kinds, masks
from checker.judging.kinds import SCORES, VALUES
from checker.judging.layouts import SAME_INPUTS, SHARED_LAYOUTS
from checker.judging.sizes import BORDERS, borders, patterns


def at_the_limit(rng, lead, Tq, Tk, D):
    """Scores up to a million that float32 holds exactly; the closest differ by one or are equal.

    Unless the square root of D is a whole number, scores of a million are rounded to about 0.1.
    """
    q, k = kinds.at_the_limit(rng, lead, Tq, Tk, D)
    levels = [1e6, 1e6 - (np.sqrt(D) % 1 == 0), 1e6, -1e6, 3e5]
    k[..., 0] = rng.permuted(np.broadcast_to(np.resize(levels, Tk), (*lead, Tk)), axis=-1)
    return q, k


def long(rng, lead, Tq, Tk, D):
    """Rows far apart in one prompt, rising scores, the last one high, in the other."""
    drawn = [kind(rng, lead[1:], Tq, Tk, D) for kind in (kinds.rows_apart, kinds.steep)]
    return np.stack([q for q, _ in drawn]), np.stack([k for _, k in drawn])


def before(rng, B, T):
    """Padding before the tokens: two, one, all but one, none, all, and so on."""
    return np.arange(T) >= np.resize([min(2, T - 1), 1, T - 1, 0, T], B)[:, None]


FUNCTION = "masked_attention"
FEATURES = {
    "sizes": {  # T, D, Dv
        "ordinary sizes": (5, 4, 6),
        "one token": (1, 4, 6),
        "two tokens": (2, 4, 6),
        "one feature": (5, 1, 1),
        "all sizes one": (1, 1, 1),
        "all sizes two": (2, 2, 2),
        "all sizes four": (4, 4, 4),
    },
    "scores": {**SCORES, "scores at the limit": at_the_limit},
    "mask": {
        "padding before the tokens": before,
        "no padding": lambda rng, B, T: np.ones((B, T), bool),
        "padding alone": lambda rng, B, T: np.zeros((B, T), bool),
        "padding after the tokens": lambda rng, B, T: before(rng, B, T)[:, ::-1],
        "padding anywhere": lambda rng, B, T: rng.random((B, T)) < 0.5,
        "padding at every other token": lambda rng, B, T: (
            np.arange(T) % 2 != np.arange(B)[:, None] % 2
        ),
        "one token per prompt": lambda rng, B, T: masks.one_allowed(rng, (B,), 1, T)[:, 0],
    },
    "batch": {  # B, H
        "3 prompts, 2 heads": (3, 2),
        "1 prompt, 1 head": (1, 1),
        "1 prompt, 4 heads": (1, 4),
        "5 prompts, 1 head": (5, 1),
        "2 prompts, 2 heads": (2, 2),
        "4 prompts, 4 heads": (4, 4),
    },
    "values": {**VALUES, "huge values in the padding": "huge", "small weights": "small"},
    "layout": SHARED_LAYOUTS,
}
EDGES = {
    "values": kinds.NO_VALUES,
    "scores": kinds.RARE,
    "sizes": patterns("T D Dv", 5, 4, 6),
    "tokens": borders("tokens", (*BORDERS, 72)),
    "features": borders("features", (9, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (9, 17, 33, 65, 130)),
    "heads": borders("heads", (9, 17, 33, 65)),
    "prompts": borders("prompts", (9, 17, 33, 65, 129)),
}
# float32 rounds a score of size s by a few times s * 1.2e-7, and its weight by the same share: s is
# up to 1,400 where scores are far apart and in edges, or 1e6.
TOLERANCES = {
    "rows of scores far apart": 1e-3,
    "items with scores far apart": 1e-3,
    "scores rising along the keys": 1e-3,
    kinds.EDGES: 1e-3,
    "scores at the limit": 0.12,
    "high scores close together": 0.12,
}
SAME, EQUAL = SAME_INPUTS, "all sizes four"


def build(rng, *, sizes, scores, mask, batch, values, layout, **edge):
    (T, D, Dv), (B, H) = sizes, batch
    if edge:  # many of one, few of all else, and all kinds of scores at once
        T, D, Dv = edge.get("tokens", 4), edge.get("features", 2), edge.get("value features", 1)
        scores, H = kinds.mixed, edge.get("heads", 1)
        B = edge.get("prompts", 1 if H in (9, 33) else 2 if "heads" in edge else 6)
        if T > 100:  # T * T scores for every prompt cost much
            scores, B = long, 2
    q, k = scores(rng, (B, H), T, T, D)
    v = kinds.values_of(rng, (B, H, T, Dv), 1.0 if isinstance(values, str) else values)
    keep = mask(rng, B, T)
    if edge:
        keep[1::2] = keep[1::2, ::-1]  # padding after the tokens
        keep[min(B - 1, 5)] = True
    if values == "small":  # token 0 scores 24 more than the others
        q[...], k[...], v[...] = 0.0, 0.0, 9e5
        q[..., 0], k[..., 0, 0], v[..., 0, :] = np.sqrt(D), 24.0, 1.0
        keep[:, 0] = True
    if values == "huge":
        padding = ~keep[:, None, :, None]
        k, v = np.where(padding, -k, k), np.where(padding, -3e38, v)
    return *(layout(array.astype(np.float32)) for array in (q, k, v)), layout(keep)
