"""The domain of kata 05."""

import numpy as np

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs
from checker.judging.kinds import MASKS, RARE_MASKS


def huge(rng, lead, Tq, Tk, D):
    """Scores of any size, equal or far apart, the lowest float64 among them."""
    lowest = np.finfo(float).min
    q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
    q[..., 0] = 1.0
    k[..., 0] = rng.choice([lowest, -1e300, -1e9, 0.0, 1e9, 1e300, -lowest], size=(*lead, Tk))
    return q, k


FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "scores": {
        **{name: kind for name, kind in ATTENTION["scores"].items() if "items" not in name},
        "huge scores": huge,
    },
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": MASKS,
}
EDGES = {**ATTENTION_EDGES, "mask": RARE_MASKS}
build = attention_inputs
