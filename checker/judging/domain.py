"""What a subject does, away from its invariants: its answers to inputs from a kata's domain."""

import runpy
from types import ModuleType
from typing import Any

import numpy as np

from checker.judging import Broken, assert_array, assert_same
from checker.judging.comparisons import Array
from checker.kata.catalog import Kata

Answer = list[Array] | Exception


class Questions:
    """The inputs of a kata's domain, each known by a number, and how they are put."""

    def __init__(self, kata: Kata) -> None:
        of_domain = runpy.run_path(str(kata.domain))
        self._draw, self._ask = of_domain["draw"], of_domain["ask"]
        self._drawn: dict[int, tuple[Any, ...]] = {}

    def inputs(self, number: int) -> tuple[Any, ...]:
        """The inputs of this number, the same each time."""
        if number not in self._drawn:
            drawn = self._draw(np.random.default_rng(number))
            for array in drawn:
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False  # a fault may write where it should not
            self._drawn[number] = drawn
        return self._drawn[number]

    def answer(self, subject: Any, number: int) -> Answer:
        """The arrays that the subject returns, or what it raises."""
        with np.errstate(all="ignore"):
            try:
                returned = self._ask(subject, *self.inputs(number))
            except Exception as error:  # whatever a subject may raise is its answer
                return error
        return list(returned) if isinstance(returned, tuple | list) else [returned]


def module(source: str) -> ModuleType:
    """A module of trusted source."""
    made = ModuleType("planted")
    exec(compile(source, "planted", "exec"), made.__dict__)
    return made


def apart(got: Answer, want: Answer) -> str | None:
    """How two answers differ, or None where they are the same up to rounding."""
    if isinstance(got, Exception) or isinstance(want, Exception):
        alike = isinstance(got, Exception) and isinstance(want, Exception)
        return None if alike else f"got {got!r:.200}, want {want!r:.200}"
    try:
        for one, other in zip(got, want, strict=True):
            assert_array(one, other.shape, other.dtype, "output")
            nan = np.isnan(other)
            assert_same(np.where(nan & np.isnan(one), 0, one), np.where(nan, 0, other), "output")
    except (Broken, ValueError, AttributeError) as error:
        return str(error)
    return None
