"""The domain of kata 03."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs
from checker.judging.kinds import MASKS, RARE_MASKS

FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": MASKS,
}
EDGES = {**ATTENTION_EDGES, "mask": RARE_MASKS}
build = attention_inputs
