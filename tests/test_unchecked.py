"""Nothing is computed with a subject's array before its shape and kind of number are checked.

(1, N) plus (N, 1) is N x N numbers: a few bytes from a subject could take all of a grader's memory.
"""

import inspect
import runpy
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

from checker.judging.comparisons import assert_array, assert_identical, assert_same
from checker.judging.domain import Domain, difference, module
from checker.kata import catalog

NEEDED: Final = {"shape", "dtype"}


class TooEarly(Exception):
    """Something was computed with an array that had not been looked at."""


class Unchecked(np.ndarray):
    """An array that knows, with all its views, whether its shape and dtype were looked at."""

    read: set[str]

    def __array_finalize__(self, other: object) -> None:
        self.read = other.read if isinstance(other, Unchecked) else set()

    def __getattribute__(self, name: str) -> Any:
        if name in NEEDED:
            np.ndarray.__getattribute__(self, "read").add(name)
        return np.ndarray.__getattribute__(self, name)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*map(checked, inputs), **options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        return function(*map(checked, inputs), **{k: checked(v) for k, v in options.items()})


def checked(value: Any) -> Any:
    """The value with plain arrays in the place of unchecked ones. Raises `TooEarly`."""
    if isinstance(value, tuple | list):
        return type(value)(map(checked, value))
    if isinstance(value, Unchecked):
        if value.read != NEEDED:
            raise TooEarly
        return value.view(np.ndarray)
    return value


def unchecked(value: Any) -> Any:
    """The value with an unchecked array in the place of every array."""
    if isinstance(value, tuple | list):
        return type(value)(map(unchecked, value))
    return np.array(value).view(Unchecked) if isinstance(value, np.ndarray) else value


class Subject:
    """The reference, as a subject that returns unchecked arrays."""

    def __init__(self, reference: ModuleType) -> None:
        self._reference = reference

    def __getattr__(self, name: str) -> "Function":
        return Function(getattr(self._reference, name))


class Function:
    """A function of such a subject."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *inputs: Any) -> Any:
        """The result of one call."""
        plain = (np.asarray(one) if isinstance(one, np.ndarray) else one for one in inputs)
        return unchecked(self.function(*plain))

    def each(self, batch: Sequence[tuple[Any, ...]], *, views: bool = False) -> list[Any]:
        """The result of every call."""
        return [self(*inputs) for inputs in batch]


def invariants(kata: catalog.Kata) -> list[tuple[str, Any]]:
    """The invariants of a kata, by name."""
    found = runpy.run_path(str(kata.invariants))
    return [(name, test) for name, test in found.items() if name.startswith("test_")]


@pytest.mark.parametrize("name", catalog.katas())
def test_an_invariant_checks_an_array_before_it_computes_with_it(name: str) -> None:
    kata = catalog.find(name)
    given = {
        "subject": Subject(module(kata.reference.read_text(encoding="utf-8"))),
        "rngs": [np.random.default_rng(draw) for draw in range(2)],
        "domain": Domain(kata.domain),
        "seed": 0,
    }
    early = []
    with np.errstate(all="ignore"):
        for title, test in invariants(kata):
            try:
                test(**{name: given[name] for name in inspect.signature(test).parameters})
            except TooEarly:
                early.append(title)
    assert early == []


WIDE, TALL = np.zeros((1, 400_000)), np.zeros((400_000, 1))


@pytest.mark.parametrize("compare", [assert_same, assert_identical])
def test_a_comparison_of_two_shapes_computes_nothing(compare: Any) -> None:
    with pytest.raises(AssertionError, match="has shape"):
        compare(WIDE, TALL, "out")


def test_a_diagnosis_of_two_shapes_computes_nothing() -> None:
    assert "has shape" in str(difference([WIDE], [TALL]))


def test_an_array_of_another_kind_is_not_computed_with() -> None:
    with pytest.raises(AssertionError, match="is complex128, want float64"):
        assert_same(np.array([1 + 5j]), np.array([1.0]), "out")
    with pytest.raises(AssertionError, match="is complex128, want float64"):
        assert_array(np.array([1 + 5j]), (1,), np.float64, "out")
