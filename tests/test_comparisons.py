"""The comparisons: what they accept, and the message for what they reject."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from checker.judging import Broken, assert_array, assert_identical, assert_same, unpack
from checker.sandbox.host.calls import Opaque

ONE = np.ones((2, 3))


def at(value: float, dtype: type = np.float64) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.ones((2, 3), dtype)
    array[1, 2] = value
    return array


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (ONE, ONE),
        (at(1 + 1e-13), ONE),
        (at(1e300 * (1 + 1e-13)), at(1e300)),
        (at(np.inf), at(np.inf)),
        (at(1 + 4e-6, np.float32), ONE.astype(np.float32)),
    ],
)
def test_values_equal_up_to_rounding_pass(got: Any, want: Any) -> None:
    assert assert_same(got, want, "out") is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize(
    ("got", "want", "message"),
    [
        (at(0.5), ONE, "out at [1, 2] got 0.5, want 1"),
        (at(np.nan), ONE, "out at [1, 2] got nan, want 1"),
        (at(np.nan), at(np.nan), "out at [1, 2] got nan, want a number"),
        (
            ONE,
            at(np.nan),
            "out at [1, 2] got 1, want a number; the result that it must equal has nan there",
        ),
        (at(np.inf), at(-np.inf), "out at [1, 2] got inf, want -inf"),
        (at(1 + 1e-11), ONE, "out at [1, 2] got 1.00000000001, want 1.0"),
        (at(1 + 2e-5, np.float32), ONE.astype(np.float32), "out at [1, 2] got 1.00002, want 1"),
        (ONE[:1], ONE, "out has shape (1, 3), want (2, 3)"),
    ],
)
def test_a_difference_is_reported(got: Any, want: Any, message: str) -> None:
    with pytest.raises(Broken) as broken:
        assert_same(got, want, "out")
    assert str(broken.value) == message


def test_a_difference_has_its_place_and_numbers() -> None:
    with pytest.raises(Broken) as broken:
        assert_same(at(0.5), ONE, "out")
    assert (broken.value.where, broken.value.got, broken.value.want) == ((1, 2), 0.5, 1.0)


def test_equal_arrays_are_identical() -> None:
    assert assert_identical(ONE, ONE.copy(), "out") is None  # type: ignore[func-returns-value]


def test_arrays_that_differ_in_the_last_bit_are_not_identical() -> None:
    with pytest.raises(Broken):
        assert_identical(at(1 + 2e-16), ONE, "out")


@pytest.mark.parametrize("compare", [assert_same, assert_identical])
def test_booleans_are_shown_as_booleans(compare: Callable[[Any, Any, str], None]) -> None:
    compare(ONE == 1, ONE == 1, "blocked")
    with pytest.raises(Broken, match=r"blocked at \[0, 0\] got True, want False"):
        compare(ONE == 1, ONE != 1, "blocked")


def test_nan_is_not_identical_to_nan() -> None:
    with pytest.raises(Broken):
        assert_identical(at(np.nan), at(np.nan), "out")


def test_the_promised_shape_and_dtype_pass() -> None:
    assert assert_array(ONE, (2, 3), np.float64, "out") is None  # type: ignore[func-returns-value]


def test_another_shape_is_reported() -> None:
    with pytest.raises(Broken, match=r"out has shape \(2, 3\), want \(3, 2\)"):
        assert_array(ONE, (3, 2), np.float64, "out")


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_another_dtype_is_reported(dtype: str) -> None:
    with pytest.raises(Broken, match=f"out is {dtype}, want float64"):
        assert_array(ONE.astype(dtype), (2, 3), np.float64, "out")


@pytest.mark.parametrize("compare", [assert_same, assert_identical])
def test_only_numbers_are_compared_not_dtypes(compare: Any) -> None:
    assert compare(ONE.astype(np.float32), ONE, "out") is None


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "returned None, want (out, weights)"),
        (ONE, "returned one array, want (out, weights)"),
        ((ONE,), "returned a tuple of 1, want (out, weights)"),
        ((ONE, [1.0]), "returned a list of 1 for weights, want an array"),
        ((ONE, 1.0), "returned a float for weights, want an array"),
        ((ONE, Opaque("generator")), "returned a generator for weights, want an array"),
        (Opaque("matrix"), "returned a matrix, want (out, weights)"),
    ],
)
def test_a_result_that_is_not_a_pair_of_arrays_is_reported(returned: Any, message: str) -> None:
    with pytest.raises(Broken) as broken:
        unpack(returned, "out", "weights")
    assert str(broken.value) == message


def test_a_single_array_is_unpacked() -> None:
    (part,) = unpack(ONE, "out")
    assert part is ONE


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_pair_of_arrays_is_unpacked_in_order(kind: type) -> None:
    other = 2 * ONE
    out, weights = unpack(kind([ONE, other]), "out", "weights")
    assert out is ONE
    assert weights is other
