"""Named faults of attention code, planted in a file through its syntax tree."""

from typing import Final

from checker.faults import (
    block,
    cache,
    einsum,
    layout,
    masking,
    positions,
    precision,
    score,
    variants,
)
from checker.faults.planting import REGISTERED, Fault, Mutant, plant

__all__ = ["FAULTS", "Fault", "Mutant", "mutants"]

ORDER: Final = [  # what is told more closely comes first, and keeps its name
    module.FAMILY
    for module in (masking, score, positions, precision, variants, layout, einsum, cache, block)
]
FAULTS: Final[tuple[Fault, ...]] = tuple(
    sorted(REGISTERED, key=lambda each: ORDER.index(each.family))
)


def mutants(source: str) -> list[Mutant]:
    """Every fault at every place of `source`, each a different program; always in one order.

    Raises `SyntaxError` where `source` is not Python.
    """
    return list(plant(source, FAULTS))
