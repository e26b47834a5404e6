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
