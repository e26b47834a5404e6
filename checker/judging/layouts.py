"""Memory layouts: the same numbers in another order, and arrays that share their memory."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array

SAME_ARRAYS: Final = {"2 heads": 2, "the same arrays, 4 heads": 4, "the same arrays, 1 head": 1}

# Inputs that are one array, by their places, for `SAME` of a domain.

SAME_INPUTS: Final = {
    "q, k and v one array": (0, 1, 2),
    "q and k one array": (0, 1),
    "k and v one array": (1, 2),
}
SAME_PROJECTIONS: Final = {  # of x, Wq, Wk and Wv
    "Wq, Wk and Wv one array": (1, 2, 3),
    "Wq and Wk one array": (1, 2),
    "Wk and Wv one array": (2, 3),
}


def c_order(array: Array) -> Array:
    """The same array, in C order."""
    return np.array(array, order="C")  # ascontiguousarray would give it an axis if it has none


def fortran(array: Array) -> Array:
    """The same array, in Fortran order."""
    return np.array(array, order="F")  # asfortranarray would give it an axis if it has none


def spread(array: Array) -> Array:
    """The same array as every other number of a larger one."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype) if array.ndim else array
    if array.ndim:
        wide[..., ::2] = array
    return wide[..., ::2] if array.ndim else array


def backwards(array: Array) -> Array:
    """The same array, reversed in memory."""
    if not array.ndim:
        return array
    flip = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[flip])[flip]


def broadcast(array: Array) -> Array:
    """The first item in place of all others, in the same memory; of the second axis, if of four."""
    if not array.ndim:
        return array
    return np.broadcast_to(array[:, :1] if array.ndim > 3 else array[:1], array.shape)


def repeated(array: Array) -> Array:
    """The array, its last item replaced by its first."""
    array = np.array(array, order="C")
    if array.ndim:
        array[-1] = array[0]
    return array


LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "C order": c_order,
    "Fortran order": fortran,
    "strided memory": spread,
    "reversed memory": backwards,
}
SHARED_LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {  # where items are independent
    **LAYOUTS,
    "the same item broadcast": broadcast,
    "the last item as the first": repeated,
}
