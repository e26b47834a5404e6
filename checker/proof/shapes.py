"""Shapes in letters, such as `(..., Tq, H * D)`, and the sizes that one call gives the letters."""

import math
from collections.abc import Sequence
from typing import Final

LEAD: Final = "..."  # any leading axes, the same throughout one call

Dims = tuple[str, ...]


class Misfit(Exception):
    """A call that the contract does not allow; the message says why."""


class Sizes:
    """The sizes that the letters of one call stand for."""

    def __init__(self) -> None:
        self.letters: dict[str, int] = {}
        self.lead: tuple[int, ...] | None = None
        self._axes: list[tuple[str, int]] = []

    def fit(self, dims: Dims, shape: tuple[int, ...]) -> None:
        """Give the letters the sizes of a shape. Raises `Misfit` where they have others."""
        own = [dim for dim in dims if dim != LEAD]
        lead = shape[: max(len(shape) - len(own), 0)]
        if len(shape) < len(own) or (lead and LEAD not in dims):
            raise Misfit(f"want the axes {', '.join(dims)}")
        if LEAD in dims:
            self.lead = lead if self.lead is None else self.lead
            if lead != self.lead:
                raise Misfit(f"want the leading axes {self.lead} of the other inputs")
        self._axes += zip(own, shape[len(lead) :], strict=True)
        self._solve()

    def broadcast(self, dims: Dims, shape: tuple[int, ...]) -> None:
        """Check that a shape broadcasts to `dims`, whose letters are known. Raises `Misfit`."""
        own = [self._product(dim.split(" * ")) for dim in dims if dim != LEAD]
        want = (*((self.lead or ()) if LEAD in dims else ()), *own)
        pairs = zip(reversed(shape), reversed(want), strict=False)
        if len(shape) > len(want) or any(size not in (1, wide) for size, wide in pairs):
            raise Misfit(f"want a shape that broadcasts to {want}")

    def _solve(self) -> None:
        """Go over all axes until no further letter is found: `H * D` gives D once H is known."""
        before = -1
        while before != len(self.letters):
            before = len(self.letters)
            for dim, size in self._axes:
                self._axis(dim, size)

    def _axis(self, dim: str, size: int) -> None:
        factors = dim.split(" * ")
        unknown = [one for one in factors if not one.isdigit() and one not in self.letters]
        known = self._product([one for one in factors if one not in unknown])
        if size < 1:
            raise Misfit(f"{dim} is {size}, want at least 1")
        if len(unknown) == 1 and size % known == 0:
            self.letters[unknown[0]] = size // known
        elif len(unknown) == 1:
            raise Misfit(f"{dim} is {size}, want a multiple of {known}")
        elif not unknown and size != known:
            raise Misfit(f"{dim} is {size}, want {known} as in the other inputs")

    def _product(self, factors: Sequence[str]) -> int:
        return math.prod(int(one) if one.isdigit() else self.letters[one] for one in factors)
