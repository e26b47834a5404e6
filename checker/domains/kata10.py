"""The domain of kata 10."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs

FUNCTION = "attention"
FEATURES = ATTENTION
EDGES = ATTENTION_EDGES
build = attention_inputs


def call(subject, q, k, v):
    """Both functions, where answers are only compared with one another."""
    return subject.attention(q, k, v), subject.softmax(q)
