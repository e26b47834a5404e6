"""The domain of kata 03."""

from checker.judging.attention import ATTENTION, MASKED_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS
from checker.judging.masks import MASKS

FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": MASKS,
}
EDGES = MASKED_EDGES
SAME = SAME_INPUTS
build = attention_inputs
