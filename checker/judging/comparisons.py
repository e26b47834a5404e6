"""Comparisons that say what came and what was promised, at the first place where they differ.

Every helper takes what the subject gave first, and raises `Broken` when a promise does not hold.
NaN never passes: a difference has to be shown to be small.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# Rounding of another order of summation, for values of order one (measured: 3.6e-15 and 1.9e-6).
TOLERANCE = {"float64": 1e-12, "float32": 5e-6}


class Broken(AssertionError):
    """A promise that does not hold, with the first place where it fails."""

    def __init__(
        self,
        message: str,
        where: tuple[int, ...] | None = None,
        got: float | None = None,
        want: float | None = None,
    ) -> None:
        super().__init__(message)
        self.where, self.got, self.want = where, got, want


def unpack(returned: Any, *names: str) -> list[Array]:
    """The arrays that a subject returned, one for each name; `Broken` for anything else."""
    parts = list(returned) if len(names) > 1 and isinstance(returned, tuple | list) else [returned]
    if len(parts) != len(names):
        raise Broken(f"returned {_kind(returned)}, want {_listed(names)}")
    for part, name in zip(parts, names, strict=True):
        if not isinstance(part, np.ndarray):
            raise Broken(f"returned {_kind(part)} for {name}, want an array")
    return parts


def assert_array(got: Array, shape: tuple[int, ...], dtype: npt.DTypeLike, name: str) -> None:
    """Hold that `got` has this shape and dtype."""
    _assert_shape(got, shape, name)
    if got.dtype != np.dtype(dtype):
        raise Broken(f"{name} is {got.dtype}, want {np.dtype(dtype)}")


def assert_same(got: Array, want: Array, name: str, tolerance: float | None = None) -> None:
    """Hold that `got` equals `want` up to rounding; its dtype is another promise.

    The tolerance counts from the largest finite magnitude in `want`, or from one where that is
    smaller. Infinities must be equal.
    """
    _assert_shape(got, want.shape, name)
    limit = TOLERANCE.get(want.dtype.name, 0.0) if tolerance is None else tolerance
    finite = np.abs(want[np.isfinite(want)])
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(got.astype(want.dtype) - want) <= limit * finite.max(initial=1.0)
    _hold(close | (got == want), got, want, name)


def assert_identical(got: Array, want: Array, name: str) -> None:
    """Hold that `got` equals `want` to the last bit (NaN is equal to nothing)."""
    _assert_shape(got, want.shape, name)
    _hold(got == want, got, want, name)


def _assert_shape(got: Array, shape: tuple[int, ...], name: str) -> None:
    if got.shape != shape:
        raise Broken(f"{name} has shape {got.shape}, want {shape}")


def _hold(holds: npt.NDArray[np.bool_], got: Array, want: Array, name: str) -> None:
    if holds.all():
        return
    where = tuple(int(i) for i in np.unravel_index(np.argmin(holds), holds.shape))
    pair = got[where].item(), want[where].item()
    shown = [f"{value:.6g}" for value in pair]
    if shown[0] == shown[1]:  # the difference lies behind the sixth digit, or there is no number
        shown = [repr(value) for value in pair]
    if np.isnan(want[where]):
        shown[1] = "a number"
    raise Broken(f"{name} at {list(where)} got {shown[0]}, want {shown[1]}", where, *pair)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, np.ndarray):
        return "one array"
    kind = getattr(value, "kind", type(value).__name__)
    return f"an {kind}" if kind[:1] in "aeiou" else f"a {kind}"


def _listed(names: tuple[str, ...]) -> str:
    return f"({', '.join(names)})" if len(names) > 1 else names[0]
