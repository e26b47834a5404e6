"""The domain of kata 14."""

from checker.judging import layouts, masks
from checker.judging.attention import ATTENTION, MASKED_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS
from checker.judging.masks import MASKS, RARE_MASKS
from checker.judging.sizes import borders

FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": {
        "a random mask": masks.random_mask,
        "one key allowed": masks.one_allowed,
        "no mask": None,  # directly before and after masks of the same shape
        **{name: mask for name, mask in MASKS.items() if mask is not masks.all_but_one},
    },
}
EDGES = {
    **MASKED_EDGES,
    "keys without a mask": borders("keys without a mask", (9, 17, 33, 65, 129)),
    "mask": {
        "one key blocked": masks.all_but_one,
        **{name: mask for name, mask in RARE_MASKS.items() if mask is not masks.no_axes},
        "None for the mask": "None",
    },
}
SAME = SAME_INPUTS


def build(rng, *, mask, layout, **edge):
    if "keys without a mask" in edge:
        mask, edge["keys"] = None, edge.pop("keys without a mask")
    some = mask if callable(mask) else masks.all_allowed
    *inputs, keep = attention_inputs(rng, mask=some, layout=layouts.c_order, **edge)
    arrays = tuple(layout(array) for array in (*inputs, keep.astype(float)))
    if callable(mask):
        return arrays
    return (*arrays[:3], None) if mask else arrays[:3]
