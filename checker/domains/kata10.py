"""The domain of kata 10."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs
from checker.judging.layouts import SAME_INPUTS

FUNCTION = "attention"
FEATURES = ATTENTION
EDGES = ATTENTION_EDGES
SAME = SAME_INPUTS
build = attention_inputs


def call(subject, q, k, v):
    """Both functions, where answers are only compared with one another."""
    return subject.attention(q, k, v), subject.softmax(q)
