"""The comparisons, both ways: what they let through and what they say of the rest."""

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
def test_equal_up_to_rounding_is_the_same(got: Any, want: Any) -> None:
    assert assert_same(got, want, "out") is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize(
    ("got", "want", "message"),
    [
        (at(0.5), ONE, "out at [1, 2] got 0.5, want 1"),
        (at(np.nan), ONE, "out at [1, 2] got nan, want 1"),
        (at(np.nan), at(np.nan), "out at [1, 2] got nan, want a number"),
        (at(np.inf), at(-np.inf), "out at [1, 2] got inf, want -inf"),
        (at(1 + 1e-11), ONE, "out at [1, 2] got 1.00000000001, want 1.0"),
        (at(1 + 2e-5, np.float32), ONE.astype(np.float32), "out at [1, 2] got 1.00002, want 1"),
        (ONE[:1], ONE, "out has shape (1, 3), want (2, 3)"),
    ],
)
def test_a_difference_is_named(got: Any, want: Any, message: str) -> None:
    with pytest.raises(Broken) as broken:
        assert_same(got, want, "out")
    assert str(broken.value) == message


def test_the_first_difference_is_kept_as_numbers() -> None:
    with pytest.raises(Broken) as broken:
        assert_same(at(0.5), ONE, "out")
    assert (broken.value.where, broken.value.got, broken.value.want) == ((1, 2), 0.5, 1.0)


def test_identical_is_to_the_last_bit() -> None:
    assert_identical(ONE, ONE.copy(), "out")
    with pytest.raises(Broken):
        assert_identical(at(1 + 2e-16), ONE, "out")


def test_nan_is_identical_to_nothing() -> None:
    with pytest.raises(Broken):
        assert_identical(at(np.nan), at(np.nan), "out")


def test_shape_and_dtype_are_held() -> None:
    assert_array(ONE, (2, 3), np.float64, "out")
    with pytest.raises(Broken, match=r"out has shape \(2, 3\), want \(3, 2\)"):
        assert_array(ONE, (3, 2), np.float64, "out")
    for dtype in (np.float32, np.complex128):
        with pytest.raises(Broken, match=r"out is .*, want float64"):
            assert_array(ONE.astype(dtype), (2, 3), np.float64, "out")


def test_a_dtype_is_no_matter_of_the_numbers() -> None:
    assert_same(ONE.astype(np.float32), ONE, "out")
    assert_identical(ONE.astype(np.float32), ONE, "out")


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
def test_what_is_no_pair_of_arrays_is_named(returned: Any, message: str) -> None:
    with pytest.raises(Broken) as broken:
        unpack(returned, "out", "weights")
    assert str(broken.value) == message


def test_arrays_are_unpacked_by_name() -> None:
    assert unpack(ONE, "out") == [ONE]
    assert [part is ONE for part in unpack([ONE, ONE], "out", "weights")] == [True, True]
