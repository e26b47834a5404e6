"""Comparisons that report what was returned and what was promised, where they first differ.

Every helper takes the subject's value first, and raises `Broken` if a promise is not kept. NaN
never passes: a difference must be shown to be small.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# Rounding from another order of summation, for values of order one (measured: 3.6e-15, 1.9e-6).
TOLERANCE = {"float64": 1e-12, "float32": 5e-6}


class Broken(AssertionError):
    """A broken promise, with the first place where it fails."""

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
    """The arrays that a subject returned, one per name. Raises `Broken` for anything else."""
    parts = list(returned) if len(names) > 1 and isinstance(returned, tuple | list) else [returned]
    if len(parts) != len(names):
        raise Broken(f"returned {_kind(returned)}, want {_listed(names)}")
    for part, name in zip(parts, names, strict=True):
        if not isinstance(part, np.ndarray):
            raise Broken(f"returned {_kind(part)} for {name}, want an array")
    return parts


def assert_array(got: Array, shape: tuple[int, ...], dtype: npt.DTypeLike, name: str) -> None:
    """Check that `got` has this shape and dtype. Raises `Broken`."""
    _assert_shape(got, shape, name)
    if got.dtype != np.dtype(dtype):
        raise Broken(f"{name} is {got.dtype}, want {np.dtype(dtype)}")


def is_same(got: Array, want: Array, tolerance: float | None = None) -> bool:
    """Whether `got` certainly equals `want`: quicker than `assert_same`, where both are finite."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind != "f":
        return bool((got == want).all())
    limit = TOLERANCE.get(want.dtype.name, 0.0) if tolerance is None else tolerance
    with np.errstate(invalid="ignore", over="ignore"):
        far = abs(got - want).max()
    return bool(far <= limit) or bool(far <= limit * abs(want).max() < np.inf)


def assert_same(got: Array, want: Array, name: str, tolerance: float | None = None) -> None:
    """Check that `got` equals `want` up to rounding, whatever its dtype. Raises `Broken`.

    The tolerance is relative to the largest finite magnitude in `want`, but at least to one.
    Infinities and booleans must be equal.
    """
    if want.dtype.kind == "b":
        assert_identical(got, want, name)
        return
    _assert_kind(got, want, name)
    limit = TOLERANCE.get(want.dtype.name, 0.0) if tolerance is None else tolerance
    finite = np.abs(want[np.isfinite(want)])
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(got.astype(want.dtype) - want) <= limit * finite.max(initial=1.0)
    _check(close | (got == want), got, want, name)


def assert_identical(got: Array, want: Array, name: str) -> None:
    """Check that `got` equals `want` to the last bit; NaN equals nothing. Raises `Broken`."""
    _assert_kind(got, want, name)
    _check(got == want, got, want, name)


def _assert_kind(got: Array, want: Array, name: str) -> None:
    """Check shape and kind of number: nothing is computed with an array of another one."""
    _assert_shape(got, want.shape, name)
    if got.dtype.kind != want.dtype.kind:
        raise Broken(f"{name} is {got.dtype}, want {want.dtype}")


def _assert_shape(got: Array, shape: tuple[int, ...], name: str) -> None:
    if got.shape != shape:
        raise Broken(f"{name} has shape {got.shape}, want {shape}")


def _check(holds: npt.NDArray[np.bool_], got: Array, want: Array, name: str) -> None:
    if holds.all():
        return
    where = tuple(int(i) for i in np.unravel_index(np.argmin(holds), holds.shape))
    pair = got[where].item(), want[where].item()
    shown = [str(value) if isinstance(value, bool) else f"{value:.6g}" for value in pair]
    if shown[0] == shown[1]:  # they differ after the sixth digit, or one is not a number
        shown = [repr(value) for value in pair]
    place = f"{name} at {list(where)} got {shown[0]}"
    if np.isnan(want[where]):  # then it is another result of the subject
        other = "" if np.isnan(got[where]) else "; the result that it must equal has nan there"
        raise Broken(f"{place}, want a number{other}", where, pair[0])
    raise Broken(f"{place}, want {shown[1]}", where, *pair)


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
