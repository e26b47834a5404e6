"""The domain of kata 06."""

import numpy as np

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs


def at_the_limit(rng, lead, Tq, Tk, D):
    """Scores up to a million, equal or far apart: float32 keeps no small difference there."""
    q, k = np.zeros((*lead, Tq, D)), np.zeros((*lead, Tk, D))
    q[..., 0], k[..., 0] = 1.0, rng.choice([1e6, 9e5, 3e5, -1e6], size=(*lead, Tk))
    return q * np.ceil(np.sqrt(D)), k


BIASES = {
    "a bias": lambda lead, Tq, Tk: (*lead, Tq, Tk),
    "a bias for all queries": lambda lead, Tq, Tk: (*lead, 1, Tk),
    "a bias without leading axes": lambda lead, Tq, Tk: (Tq, Tk),
    "a bias with leading axes of one": lambda lead, Tq, Tk: (*(1 for _ in lead), Tq, Tk),
    "a bias with a key axis of one": lambda lead, Tq, Tk: (Tq, 1),
    "a bias without axes": lambda lead, Tq, Tk: (),
}
FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "scores": {**ATTENTION["scores"], "scores at the limit": at_the_limit},
    "values": {name: kind for name, kind in ATTENTION["values"].items() if kind != "small"},
    "bias": BIASES,
    "bias size": {"ordinary": 1.0, "no bias": 0.0, "scores near 150": 150.0, "near -150": -150.0},
}
EDGES = ATTENTION_EDGES
# In float32, rounding moves a score of size s by a few times s * 6e-8, and its weight as much.
TOLERANCES = {
    "rows of scores far apart": 1e-3,
    "items with scores far apart": 1e-3,
    "edges": 1e-3,
    "scores near 150": 1e-4,
    "near -150": 1e-4,
}


def build(rng, *, bias, **kinds):
    size = kinds.pop("bias size")
    q, k, v = (array.astype(np.float32) for array in attention_inputs(rng, **kinds))
    shape = bias(q.shape[:-2], q.shape[-2], k.shape[-2])
    added = rng.normal(size=shape) + size if abs(size) > 1 else size * rng.normal(size=shape)
    if kinds["scores"] is at_the_limit:  # where float32 keeps no more of a bias than this
        added = np.round(added)
    return q, k, v, kinds["layout"](np.asarray(added, np.float32))
