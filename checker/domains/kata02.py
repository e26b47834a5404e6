"""The domain of kata 02."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs

FUNCTION = "attention"
FEATURES = ATTENTION
EDGES = ATTENTION_EDGES
build = attention_inputs
