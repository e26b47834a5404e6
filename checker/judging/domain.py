"""A kata's domain: numbered inputs that its contract allows, and how a subject answers them."""

import runpy
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from checker.judging.comparisons import Array, Broken, assert_array, assert_same

Answer = list[Array] | Exception


class Domain:
    """The inputs in a file of `checker/domains`, by number."""

    def __init__(self, file: Path) -> None:
        functions = runpy.run_path(str(file))
        self._draw, self._ask = functions["draw"], functions["ask"]
        self._drawn: dict[int, tuple[Any, ...]] = {}

    def inputs(self, number: int) -> tuple[Any, ...]:
        """The inputs with this number: the same each time, and read-only."""
        if number not in self._drawn:
            drawn = self._draw(np.random.default_rng(number))
            for array in drawn:
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False
            self._drawn[number] = drawn
        return self._drawn[number]

    def answer(self, subject: Any, number: int) -> Answer:
        """The arrays that the subject returns for these inputs, or the exception it raises."""
        with np.errstate(all="ignore"):
            try:
                returned = self._ask(subject, *self.inputs(number))
            except Exception as error:  # whatever a subject raises is its answer
                return error
        return list(returned) if isinstance(returned, tuple | list) else [returned]


def module(source: str) -> ModuleType:
    """A module made from trusted source."""
    made = ModuleType("planted")
    exec(compile(source, "planted", "exec"), made.__dict__)
    return made


def difference(got: Answer, want: Answer) -> str | None:
    """How two answers differ, or None if they are equal up to rounding."""
    if isinstance(got, Exception) or isinstance(want, Exception):
        both = isinstance(got, Exception) and isinstance(want, Exception)
        return None if both else f"got {got!r:.200}, want {want!r:.200}"
    try:
        for one, other in zip(got, want, strict=True):
            assert_array(one, other.shape, other.dtype, "output")
            nan = np.isnan(other)
            assert_same(np.where(nan & np.isnan(one), 0, one), np.where(nan, 0, other), "output")
    except (Broken, ValueError, AttributeError) as error:
        return str(error)
    return None
