"""Two runs on the same case: the first line where their values differ."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from checker.learner.steps import GIVEN, Step
from checker.learner.trace import Against, Trace

NEAR: Final = 1e-9  # relative to the largest number: two ways of rounding do not differ

Key = tuple[Any, ...]


def compared(mine: Trace, other: Trace, file: str) -> Trace:
    """The trace, with its comparison to that of another file.

    Values are compared that have the same name in the same call of the same function.
    """
    theirs = dict(_keyed(other))
    both = [(step, theirs[key]) for key, step in _keyed(mine) if key in theirs]
    for step, their in both:
        if found := _difference(step, their):
            call = mine.calls[step.call]
            outside = step.kind == GIVEN and call.caller
            line = call.line if outside else step.line
            where = f"{step.name}, given to {step.function}," if outside else step.name
            text = f"line {line} is the first that differs from {file}: {where} {found}"
            return replace(mine, against=Against(file, line, text))
    seen = sum(step.array is not None and their.array is not None for step, their in both)
    text = f"no value differs from {file}, of {seen} that both files compute in this case"
    if seen < len(both) or mine.left_out or other.left_out:
        text += "; what is too large or left out was not compared"
    if other.stopped:
        text += f"; it stopped: {other.stopped}"
    return replace(mine, against=Against(file, None, text))


def _keyed(trace: Trace) -> Iterator[tuple[Key, Step]]:
    """Each step, with what identifies it in another version of the file."""
    calls: Counter[str] = Counter()
    numbers: dict[int, int] = {}
    seen: Counter[Key] = Counter()
    for number, call in trace.calls.items():
        calls[call.function] += 1
        numbers[number] = calls[call.function]
    for step in trace.steps:
        key = step.function, numbers[step.call], step.kind, step.name
        seen[key] += 1
        yield (*key, seen[key]), step


def _difference(mine: Step, their: Step) -> str | None:
    """How two values differ, in a few words, or None."""
    for one, other in (mine.shape, their.shape), (mine.type, their.type):
        if one != other:
            return f"is {_shown(one)}, there {_shown(other)}"
    if mine.array is None or their.array is None:
        return None
    with np.errstate(all="ignore"):
        largest = np.abs(their.array[np.isfinite(their.array)]).max(initial=0)
        near = np.abs(mine.array.astype(complex) - their.array) <= NEAR * largest
    same = near | (mine.array == their.array) | (np.isnan(mine.array) & np.isnan(their.array))
    if same.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0])
    place = f"at {list(at)} " if at else ""
    return f"{place}is {mine.array[at]:.6g}, there {their.array[at]:.6g}"


def _shown(kind: list[int] | str) -> str:
    return kind if isinstance(kind, str) else f"of shape {tuple(kind)}"
