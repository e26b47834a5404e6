"""Kinds of sizes that many contracts allow, and borders at which code often goes wrong."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

# Just below, at and above every block size from 4 to 128, a prime, and more than a byte counts.
BORDERS: Final = (4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 131, 257)
SQUARED: Final = (4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 131)  # where cost is too

SIZES: Final = {  # Tq, Tk, D, Dv
    "ordinary sizes": (3, 5, 4, 6),
    "one query": (1, 5, 4, 6),
    "one key": (3, 1, 4, 6),
    "one feature": (3, 5, 1, 1),
    "all sizes one": (1, 1, 1, 1),
    "all sizes two": (2, 2, 2, 2),
    "all sizes four": (4, 4, 4, 4),
}

LEADING: Final = {
    "one leading axis": (3,),
    "no leading axes": (),
    "a leading axis of one": (1,),
    "two leading axes": (2, 3),
    "three leading axes": (2, 1, 3),
}


def patterns(names: str, *ordinary: int) -> dict[str, tuple[int, ...]]:
    """Kinds for several sizes: one or two of them one, all but one of them one, two of them equal.

    `names` are those of the sizes, in their order, and `ordinary` the other sizes.
    """
    named, result = names.split(), {}
    for count in sorted({1, 2, len(named) - 1}):
        for ones in combinations(range(len(named)), count):
            sizes = tuple(1 if at in ones else size for at, size in enumerate(ordinary))
            result[" = ".join(named[at] for at in ones) + " = 1"] = sizes
    for one, other in combinations(range(len(named)), 2):
        sizes = tuple(ordinary[one] if at == other else size for at, size in enumerate(ordinary))
        result[f"{named[one]} = {named[other]}"] = sizes
    return result


def borders(what: str, sizes: Iterable[int] = BORDERS) -> dict[str, int]:
    """Kinds for the number of something, such as `keys`: one for every border."""
    return {f"{size} {what}": size for size in sizes}
