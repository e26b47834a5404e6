"""The domain of kata 11."""

from checker.judging.attention import ATTENTION, ATTENTION_EDGES, attention_inputs
from checker.judging.kinds import MASKS, RARE_MASKS, random_mask


def some_queries_without_a_key(rng, lead, Tq, Tk):
    """A random mask in which some queries may attend to no key."""
    return random_mask(rng, lead, Tq, Tk) & (rng.random((*lead, Tq, 1)) < 0.5)


def no_key_allowed(rng, lead, Tq, Tk):
    """No query may attend to any key."""
    return random_mask(rng, lead, Tq, Tk) & False


FUNCTION = "attention"
FEATURES = {
    **ATTENTION,
    "values": {**ATTENTION["values"], "huge values where blocked": "huge"},
    "mask": {
        "some queries without a key": some_queries_without_a_key,
        **{name: kind for name, kind in MASKS.items() if kind is not random_mask},
    },
}
EDGES = {**ATTENTION_EDGES, "mask": {**RARE_MASKS, "no key allowed": no_key_allowed}}
build = attention_inputs
