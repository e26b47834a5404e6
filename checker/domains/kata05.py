"""The domain of kata 05."""

import numpy as np

from checker.judging.attention import ATTENTION, MASKED_EDGES, attention_inputs
from checker.judging.kinds import (
    RARE,
    all_zero,
    at_the_limit,
    items_apart,
    ordinary,
    rising,
    rows_apart,
    some_zero,
)
from checker.judging.layouts import SAME_INPUTS
from checker.judging.masks import MASKS


def of_sizes(*sizes):
    """Scores of these sizes, divided by sqrt(D), in another order for every item."""

    def scores(rng, lead, Tq, Tk, D):
        q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
        q[..., 0] = 1.0
        k[..., 0] = rng.permuted(np.resize(sizes, (*lead, Tk)), axis=-1)
        q[..., 1::2, 0] = -1.0
        return q, k

    return scores


FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "scores": {
        "ordinary scores": ordinary,
        "all scores exactly 0": all_zero,
        "rows of scores far apart": rows_apart,
        "items with scores far apart": items_apart,
        "scores at the limit": at_the_limit,
        "scores of billions": of_sizes(-3e9, 1e10, -2e9, 1e10, 3e12, -1e18, 0.0),
        "scores of 1e308": of_sizes(1e308, -1e308, 1.5e308, 1e308, -1.5e308, 1e31, 0.0),
    },
    "mask": MASKS,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
}
EDGES = {
    **MASKED_EDGES,
    "scores": {
        **RARE,
        "some scores exactly 0, ties": some_zero,
        "scores rising along the keys": rising,
    },
}
SAME = SAME_INPUTS
build = attention_inputs
