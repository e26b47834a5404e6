"""What a call must not do: change its inputs, or share memory with them or with another result.

Runs in the worker.
"""

from itertools import accumulate, chain, combinations, product
from typing import Any, Final

import numpy as np

CLOSE: Final = {"f": 1e-4, "d": 1e-9}  # of two runs on equal inputs, by dtype character
State = tuple[Any, Any, Any, bytes]  # shape, strides, dtype and bytes of an array
MOST: Final = 64  # values of one call; no kata has as many
SMALL: Final = 3072  # bytes of inputs: larger ones are not computed twice


class Impure(Exception):
    """A call changed what it must not."""


class Snapshot:
    """Some arrays as they are now."""

    def __init__(self, arrays: list[Any], states: list[State] | None = None) -> None:
        self.arrays = arrays
        self.states = [_state(array) for array in arrays] if states is None else states

    @property
    def is_small(self) -> bool:
        """Whether to compute with these inputs takes little."""
        return sum(len(data) for *_, data in self.states) <= SMALL

    def of(self, arrays: list[Any]) -> "Snapshot":
        """The same state, expected of equal arrays in other places."""
        states = zip(arrays, self.states, strict=True)
        return Snapshot(arrays, [(s, array.strides, d, data) for array, (s, _, d, data) in states])

    def change(self) -> str | None:
        """What has changed since, in a few words, or None."""
        for array, (shape, strides, dtype, data) in zip(self.arrays, self.states, strict=True):
            now = _state(array)
            if now[0] != shape:
                return f"the shape {shape} is now {now[0]}"
            if now[1:3] != (strides, dtype):
                return "its strides or dtype are different now"
            if now[3] != data:
                return "it holds other numbers now"
        return None


class Buffers:
    """The same writable memory for every call: it only holds other numbers."""

    def __init__(self) -> None:
        self.memory: dict[tuple[Any, ...], Any] = {}

    def filled(self, inputs: Any, *, packed: bool) -> list[Any]:
        """Equal inputs in this memory; what was one array twice is now two views of it.

        With `packed`, arrays of one dtype are columns of a single array.
        """
        arrays = {id(value): value for value in inputs if isinstance(value, np.ndarray)}
        places = self._columns(arrays) if packed else self._apart(arrays)
        for name, array in arrays.items():
            np.copyto(places[name], array)
        given = []
        for value in inputs:
            given.append(places.get(id(value), value))
            if id(value) in places:
                places[id(value)] = given[-1][...]
        return given

    def _apart(self, arrays: dict[int, Any]) -> dict[int, Any]:
        return {
            name: self.memory.setdefault((place, array.shape, array.dtype), np.empty_like(array))
            for place, (name, array) in enumerate(arrays.items())
        }

    def _columns(self, arrays: dict[int, Any]) -> dict[int, Any]:
        places = {}
        for dtype in {array.dtype for array in arrays.values()}:
            own = {name: array for name, array in arrays.items() if array.dtype == dtype}
            widths = [array.shape[-1] if array.ndim else 1 for array in own.values()]
            rows = [array.size // width for array, width in zip(own.values(), widths, strict=True)]
            shape = max(rows), sum(widths)
            memory = self.memory.setdefault((shape, dtype), np.empty(shape, dtype))
            for name, n, width, end in zip(own, rows, widths, accumulate(widths), strict=True):
                places[name] = memory[:n, end - width : end].reshape(own[name].shape)
        return places


def settled(result: Any) -> Any:
    """The result with what it contains read once: a class of the subject may vary it."""
    if not isinstance(result, tuple | list):
        return result
    items = [settled(each) for each in list(result)]
    return tuple(items) if isinstance(result, tuple) else items


def assert_new(arrays: list[Any], others: list[Any], owner: str) -> None:
    """Raise `Impure` if a result is read-only, or shares memory with another or with `others`."""
    if not all(array.flags.writeable for array in arrays):
        raise Impure("the result is read-only; results are new arrays")
    pairs = chain(combinations(arrays, 2), product(arrays, others))
    if any(np.may_share_memory(one, other) for one, other in pairs):
        raise Impure(f"the result shares memory with {owner}; results are new arrays")


def spoil(arrays: list[Any]) -> None:
    """Write to results, as their owner may do."""
    for array in arrays:
        array[...] = 1


def assert_inputs_kept(before: Snapshot) -> None:
    """Raise `Impure` if a call changed its inputs."""
    if change := before.change():
        raise Impure(f"the call modifies an input: {change}; inputs are read-only")


def assert_results_kept(before: Snapshot) -> None:
    """Raise `Impure` if a call changed the result of an earlier one."""
    if change := before.change():
        raise Impure(f"a later call modifies the result of this one: {change}")


def assert_same_again(first: Snapshot, again: list[Any]) -> None:
    """Raise `Impure` if two results for equal inputs differ by more than rounding."""
    if len(first.arrays) == len(again) and (
        not first.of(again).change() or all(map(_close, first.arrays, again))
    ):
        return
    raise Impure("the same inputs, in other memory or after other calls, give another result")


def _close(one: Any, other: Any) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    equal = (one == other) | ((one != one) & (other != other))
    if equal.all() or one.dtype.char not in CLOSE:
        return bool(equal.all())
    finite = np.abs(one[np.isfinite(one)]).max(initial=1.0)
    return bool((equal | (np.abs(one - other) <= CLOSE[one.dtype.char] * finite)).all())


def arrays_in(values: Any) -> list[Any]:
    """The arrays in a value, or in tuples and lists of values."""
    if isinstance(values, np.ndarray):
        return [values]
    if not isinstance(values, tuple | list):
        return []
    found: list[Any] = []
    for value in values[:MOST]:
        found += [value] if type(value) is np.ndarray else arrays_in(value)
    return found


def _state(array: Any) -> State:
    return array.shape, array.strides, array.dtype, array.tobytes()
