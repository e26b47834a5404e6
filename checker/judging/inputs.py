"""Small read-only inputs, drawn from the generator that each invariant is given."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def frozen(values: Iterable[Any] | Array, dtype: npt.DTypeLike | None = None) -> Array:
    """A read-only copy of `values`: writing to it is numpy's own error."""
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def normal(
    rng: np.random.Generator,
    *shape: int,
    scale: float = 1.0,
    dtype: npt.DTypeLike = np.float64,
) -> Array:
    """A read-only array of this shape, normal with mean zero and standard deviation `scale`."""
    return frozen(scale * rng.normal(size=shape), dtype)


def qkv(
    rng: np.random.Generator,
    *lead: int,
    Tq: int,
    Tk: int,
    D: int,
    Dv: int,
    scale: float = 1.0,
    dtype: npt.DTypeLike = np.float64,
) -> tuple[Array, Array, Array]:
    """q (*lead, Tq, D), k (*lead, Tk, D) and v (*lead, Tk, Dv), normal, drawn in this order.

    `scale` is the standard deviation of q and k; that of v is one.
    """
    return (
        normal(rng, *lead, Tq, D, scale=scale, dtype=dtype),
        normal(rng, *lead, Tk, D, scale=scale, dtype=dtype),
        normal(rng, *lead, Tk, Dv, dtype=dtype),
    )


def listed(numbers: Iterable[float]) -> str:
    """The numbers with commas between them, for a message."""
    return ", ".join(f"{number:g}" for number in numbers)


def in_eighths(value: Any) -> Any:
    """An array with its numbers, if they are floats, rounded to eighths."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    return frozen(np.round(8.0 * value) / 8.0)


def reordered(value: Any) -> Any:
    """An array with its last axis but one the other way round, or its only one."""
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    return frozen(np.flip(value, axis=max(value.ndim - 2, 0)))


def exchanged(value: Any) -> Any:
    """An array with two different neighbours exchanged, near its middle: its ends stay."""
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    result = value.copy()
    rows = result.reshape(-1, value.shape[-1])
    places = np.argwhere(rows[:, 1:] != rows[:, :-1])
    if len(places):
        row, at = places[len(places) // 2]
        rows[row, [at, at + 1]] = rows[row, [at + 1, at]]
    return frozen(result)
