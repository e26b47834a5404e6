"""The domain of kata 02."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS

FUNCTION = "attention"
FEATURES = ATTENTION
EDGES = ATTENTION_EDGES
SAME = SAME_INPUTS
build = attention_inputs
