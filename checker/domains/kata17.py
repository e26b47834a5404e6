"""The domain of kata 17."""

import numpy as np

from checker.judging import kinds, masks
from checker.judging.kinds import SCORES, VALUES
from checker.judging.layouts import LAYOUTS, SAME_INPUTS
from checker.judging.sizes import SIZES, borders, patterns


def of_sentences(mask):
    """A kind of mask with one row per sentence: (B, Tk)."""
    return lambda rng, B, Tk: mask(rng, (B,), 1, Tk)[:, 0]


def in_turns(rng, B, Tk):
    """Every other token; where one sentence has a token, the next has padding."""
    return (np.arange(Tk) % 2 == np.arange(B)[:, None] % 2) | (Tk == 1)


def by_length(rng, B, Tk):
    """Padding after the tokens, with half of the tokens, all, one, and so on."""
    return np.arange(Tk) < np.resize([(Tk + 1) // 2, Tk, 1], B)[:, None]


FUNCTION = "attention"
FEATURES = {
    "sizes": SIZES,
    "scores": SCORES,
    "batch": {  # B, H
        "2 sentences, 3 heads": (2, 3),
        "1 sentence, 1 head": (1, 1),
        "1 sentence, 4 heads": (1, 4),
        "4 sentences, 1 head": (4, 1),
        "2 sentences, 2 heads": (2, 2),
        "4 sentences, 4 heads": (4, 4),
        "5 sentences, 2 heads": (5, 2),
    },
    "mask": {
        "random padding": of_sentences(masks.random_mask),
        "no padding": of_sentences(masks.all_allowed),
        "one token per sentence": of_sentences(masks.one_allowed),
        "one token of padding": of_sentences(masks.all_but_one),
        "every other token": in_turns,
        "padding after the tokens": by_length,
        "padding before the tokens": lambda rng, B, Tk: by_length(rng, B, Tk)[:, ::-1],
    },
    "values": {**VALUES, "huge values in the padding": "huge", "small weights": "small"},
    "layout": LAYOUTS,
}
EDGES = {
    "values": kinds.NO_VALUES,
    "scores": kinds.RARE,
    "alone": kinds.ALONE,
    "sizes": patterns("Tq Tk D Dv", 3, 5, 4, 6),
    "keys": borders("keys"),
    "queries": borders("queries", (5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 257)),
    "features": borders("features", (9, 17, 33, 65, 130, 257)),
    "value features": borders("value features", (9, 17, 33, 65, 130)),
    "heads": borders("heads", (8, 9, 16, 17, 33, 49, 65)),
    "sentences": borders("sentences", (8, 9, 16, 17, 22, 33, 65, 257)),
    "one key": {
        **{f"the last of {n} keys padding in one sentence": (n, 0, -1) for n in masks.LATE},
        **{f"the first of {n} keys padding in one sentence": (n, 0, 0) for n in masks.LATE},
        **{f"the last of {n} keys padding": (n, range(3), -1) for n in (9, 129)},
        "a key in the middle padding, in turns": (9, range(3), (4, 5, 4)),
    },
}
SAME = SAME_INPUTS


def build(rng, *, sizes, scores, batch, mask, values, layout, **edge):
    (Tq, Tk, D, Dv), (B, H) = sizes, batch
    if edge:  # many of one, few of all else, and all kinds of scores at once
        Tq, Tk = edge.get("queries", 2), edge.get("keys", 3)
        D, Dv = edge.get("features", 2), edge.get("value features", 1)
        scores, B = kinds.mixed, edge.get("sentences", 3)
        H = edge.get("heads", 1 if "queries" in edge or B > 100 else 2)
        B = 1 if H in (9, 33) else B
    if "alone" in edge:
        (Tk, scores), Tq, B, H = edge["alone"], 1, 1, 1
    if "one key" in edge:
        Tk, sentences, places = edge["one key"]
    q, k = scores(rng, (B * H,), Tq, Tk, D)
    v = kinds.values_of(rng, (B * H, Tk, Dv), 1.0 if isinstance(values, str) else values)
    keep = masks.staggered(rng, (), B, Tk) if edge and Tk > 1 else mask(rng, B, Tk)
    if "alone" in edge:
        keep[...] = True
    if "one key" in edge:
        keep[...] = True
        keep[sentences, places] = False
    if values == "small":
        kinds.small_weights(q, k, v)
        keep[:, 0] = True
    if values == "huge":
        padding = ~keep.repeat(H, axis=0)[..., None]
        k, v = np.where(padding, -k, k), np.where(padding, kinds.HIDDEN, v)
    return tuple(layout(array) for array in (q, k, v, keep))
