"""The domain of kata 13."""

import numpy as np

from checker.judging import kinds, layouts, masks
from checker.judging.attention import ATTENTION, MASKED_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS
from checker.judging.masks import MASKS, RARE_MASKS
from checker.judging.sizes import borders

AT_THE_LIMIT = [1e6, 1e6 - 0.53, 3e5, 0.0, -1e6]
LARGE = [9e5, 9e5 + 0.53, 9e5 + 1.5]
FEW_NUMBERS = [-1.0, 0.0, 1.0]

FUNCTION = "scaled_dot_product_attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": MASKS,
    "dtype": {
        "bool": "bool",
        "0 and -inf": [0.0, -0.0],
        "numbers and -inf": [-3.0, -0.5, 1.0, 1.5, 4.0],
        "1 and 0, both added": "1 and 0",
        "the same number for every key": [3.0, 3.0],
        "large numbers, no -inf": LARGE,
        "numbers at the limit and -inf": AT_THE_LIMIT,
    },
}
EDGES = {
    **MASKED_EDGES,
    "mask": {name: mask for name, mask in RARE_MASKS.items() if mask is not masks.no_axes},
    "keys with a float mask": borders("keys with a float mask", (9, 17, 33, 65, 129)),
    "float shared": {f"{name}, of numbers": lead for name, lead in MASKED_EDGES["shared"].items()},
    "float masked": {"one axis of numbers, as many queries as keys": (2, 2, masks.one_axis)},
    "lowest": {"scores and mask of -1e6, blocked scores of 1e6": True},
    "alternating": {"every other key, bool": "bool", "every other key, 1 and 0": "1 and 0"},
}
SAME = SAME_INPUTS
# Adding a number of a million to a score rounds it as a score of a million is rounded.
TOLERANCES = {
    **kinds.TOLERANCES,
    "numbers at the limit and -inf": 4e-9,
    "large numbers, no -inf": 4e-9,
    "scores and mask of -1e6, blocked scores of 1e6": 4e-9,
}


def build(rng, *, dtype, layout, values, mask, **edge):
    for name in ("keys", "shared", "masked"):
        given = f"{name} with a float mask" if name == "keys" else f"float {name}"
        if given in edge:
            edge[name], dtype = edge.pop(given), FEW_NUMBERS
    if "lowest" in edge:
        q, k, mask = np.ones((1, 1)), np.array([[-1e6], [1e6], [-1e6]]), [-1e6, -np.inf, -1e6]
        return q, k, rng.normal(size=(3, 2)), np.array(mask)
    if "alternating" in edge:
        mask, dtype = masks.alternating, edge["alternating"]
    if values == "huge" and not blocks(dtype):
        values = 1.0
    *inputs, keep = attention_inputs(rng, mask=mask, values=values, layout=layouts.c_order, **edge)
    return tuple(layout(array) for array in (*inputs, as_dtype(rng, keep, dtype)))


def blocks(dtype):
    """Whether a mask of this kind says which keys are blocked."""
    return dtype not in ("1 and 0", [3.0, 3.0], LARGE)


def as_dtype(rng, keep, dtype):
    """The mask as bool or float64, with -inf or a smaller number where `keep` is False."""
    if dtype == "bool":
        return keep
    if dtype == "1 and 0":
        return keep.astype(float)
    numbers = rng.choice(dtype, size=keep.shape)
    return np.where(keep, numbers, -np.inf) if blocks(dtype) else numbers
