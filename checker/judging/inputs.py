"""Small inputs, drawn from a generator that the judge hands to each invariant."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def frozen(values: Iterable[Any] | Array, dtype: npt.DTypeLike | None = None) -> Array:
    """A read-only copy of `values`: to write into it is numpy's own error."""
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
