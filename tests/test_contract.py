"""The Contract section of a docstring, read as data, and the calls that it allows."""

from typing import Any

import numpy as np
import pytest

from checker.proof.contract import Call, read
from checker.proof.shapes import Misfit

DOCSTRING = """A kata.

Contract
    attention(q, k, v, keep, H=None) -> out, weights
        q, k     (..., T, H * D)  queries and keys, float32
        v        (..., T, Dv)     values, of a size that may
                                  differ
        keep     bool, or integers 0 and 1, broadcasts to (..., T, T)
        H        int              number of heads
        out      (..., T, Dv)     the mean of the values
        weights  (..., T, T)      one row per query
    Inputs are read-only.
    merge(heads, lengths) -> packed
        heads    (B * H, T, 2 * D)  any numbers
        lengths  (B,)               ints
        packed   same shape as heads
    attend(q, k, v) -> out
        as above, without a mask
"""


@pytest.fixture
def contract() -> dict[str, Call]:
    return read(DOCSTRING)


def zeros(*shape: int, dtype: Any = np.float32) -> Any:
    return np.zeros(shape, dtype)


def misfit(call: Call, inputs: list[Any], outputs: list[Any]) -> str:
    with pytest.raises(Misfit) as caught:
        call.check(inputs, outputs)
    return str(caught.value)


def test_every_call_of_the_section_is_read(contract: dict[str, Call]) -> None:
    assert list(contract) == ["attention", "merge", "attend"]


def test_a_name_without_a_line_of_its_own_has_that_of_another_call(
    contract: dict[str, Call],
) -> None:
    assert contract["attend"].undescribed == []


def test_an_undescribed_name_is_known() -> None:
    calls = read("A kata.\n\nContract\n    f(x) -> y\n        y  (B,)  numbers\n")
    assert calls["f"].undescribed == ["x"]


def test_a_docstring_without_a_contract_has_no_calls() -> None:
    assert read("f(x) -> y") == {}


def test_a_call_that_fits_is_allowed(contract: dict[str, Call]) -> None:
    q, v = zeros(5, 3, 8), zeros(5, 3, 7)
    keep, weights = zeros(3, 1, dtype=bool), zeros(5, 3, 3)
    contract["attention"].check([q, q, v, keep, 2], [v, weights])


def test_an_argument_with_a_default_may_be_left_out_or_none(contract: dict[str, Call]) -> None:
    q, keep = zeros(3, 8), zeros(3, 3, dtype=int)
    contract["attention"].check([q, q, q, keep], [q, zeros(3, 3)])
    contract["attention"].check([q, q, q, keep, None], [q, zeros(3, 3)])


def test_a_product_gives_its_last_unknown_letter(contract: dict[str, Call]) -> None:
    heads = zeros(6, 4, 10)
    contract["merge"].check([heads, zeros(3, dtype=np.int64)], [heads])


SQUARE = zeros(3, 8)
KEEP = zeros(3, 3, dtype=bool)
RESULTS = [SQUARE, zeros(3, 3)]
BAD_CALLS = {
    "too few arguments": ("attention", [SQUARE], RESULTS, "1 arguments, want q, k, v, keep, H"),
    "too few results": (
        "attention",
        [SQUARE, SQUARE, SQUARE, KEEP],
        [SQUARE],
        "1 results, want out, weights",
    ),
    "another size": (
        "attend",
        [SQUARE, zeros(4, 8), SQUARE],
        [SQUARE],
        "k has shape (4, 8): T is 4, want 3 as in the other inputs",
    ),
    "another leading axis": (
        "attend",
        [zeros(2, 3, 8), zeros(5, 3, 8), SQUARE],
        [SQUARE],
        "k has shape (5, 3, 8): want the leading axes (2,) of the other inputs",
    ),
    "too few axes": (
        "attend",
        [SQUARE, zeros(8), SQUARE],
        [SQUARE],
        "k has shape (8,): want the axes ..., T, H * D",
    ),
    "too many axes": (
        "merge",
        [zeros(1, 6, 4, 10), zeros(3, dtype=int)],
        [SQUARE],
        "heads has shape (1, 6, 4, 10): want the axes B * H, T, 2 * D",
    ),
    "no multiple": (
        "attention",
        [SQUARE, SQUARE, SQUARE, KEEP, 3],
        RESULTS,
        "q has shape (3, 8): H * D is 8, want a multiple of 3",
    ),
    "an empty axis": (
        "attend",
        [zeros(3, 0), zeros(3, 0), SQUARE],
        [SQUARE],
        "q has shape (3, 0): H * D is 0, want at least 1",
    ),
    "a mask that does not broadcast": (
        "attention",
        [SQUARE, SQUARE, SQUARE, zeros(2, 3, dtype=bool)],
        RESULTS,
        "keep has shape (2, 3): want a shape that broadcasts to (3, 3)",
    ),
    "another dtype": (
        "attend",
        [SQUARE, zeros(3, 8, dtype=np.float64), SQUARE],
        [SQUARE],
        "k is float64, want float32",
    ),
    "no mask": (
        "attention",
        [SQUARE, SQUARE, SQUARE, SQUARE],
        RESULTS,
        "keep is float32, want bool or int",
    ),
    "a list": ("attend", [SQUARE, [[1.0]], SQUARE], [SQUARE], "k is a list, want an array"),
    "no number": (
        "attention",
        [SQUARE, SQUARE, SQUARE, KEEP, 2.0],
        RESULTS,
        "H is a float, want an int",
    ),
    "a result of another shape": (
        "attend",
        [SQUARE, SQUARE, SQUARE],
        [zeros(3, 3)],
        "out has shape (3, 3): Dv is 3, want 8 as in the other inputs",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_a_call_that_does_not_fit_is_refused(case: str, contract: dict[str, Call]) -> None:
    name, inputs, outputs, message = BAD_CALLS[case]
    assert misfit(contract[name], inputs, outputs) == message
