"""Named faults of attention code, planted in a file through its syntax tree."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from checker.faults import (
    conditional,
    einsum,
    layout,
    masking,
    precision,
    score,
    variants,
)
from checker.faults.planting import Fault, Mutant, plant

__all__ = ["FAULTS", "Fault", "Mutant", "mutants"]


def unique(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults, in the same order. Raises `ValueError` if two have the same id."""
    result = tuple(faults)
    repeated = [name for name, count in Counter(each.id for each in result).items() if count > 1]
    if repeated:
        raise ValueError(f"more than one fault has the id {', '.join(repeated)}: rename one")
    return result


# The order decides the name of a mutant that two faults produce: the more specific fault is first.
FAULTS: Final = unique(
    (
        *masking.FAULTS,
        *score.FAULTS,
        *precision.FAULTS,
        *variants.FAULTS,
        *layout.FAULTS,
        *einsum.FAULTS,
        *conditional.FAULTS,
    )
)


def mutants(source: str) -> list[Mutant]:
    """Every fault at every place in `source`, as distinct programs in a fixed order.

    Raises `SyntaxError` if `source` is not Python.
    """
    return list(plant(source, FAULTS))
