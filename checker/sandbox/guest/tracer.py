"""Trace a subject line by line: each value when it is computed. This runs in the worker.

What is sent is a text in JSON, as bytes, and the arrays that it refers to by number:

- `calls`: (number, function, number of the call that made it or 0, line in that call);
- `steps`: (call, line, kind, name, type, shape, times, shown, written, shares, array or -1), where
  kind is `given`, `inner` (a part of an expression), `made` or `returned`;
- `left_out`: what was not recorded, in words.

The passes of a loop become one step, which shows the first pass with a number that is not finite,
or else the last.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Self

import numpy as np

CALLS: Final = 6  # traced per function
STEPS: Final = 300
PASSES: Final = 200  # of a line, in one call
BYTES: Final = 512 * 1024  # at most, of one array
ALL_BYTES: Final = 3 << 20
SECONDS: Final = 1.0
ITEMS: Final = 16  # of a list or tuple

Local = Callable[[FrameType, str, Any], Any]
Key = tuple[str, tuple[int, ...], bytes]


class Endless(BaseException):
    """The call takes too long; the steps recorded so far are kept."""


class Tracer:
    """Traces the frames of one file, as a context manager."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.times: Counter[str] = Counter()
        self.calls: list[tuple[int, str, int, int]] = []
        self.open: dict[FrameType, TracedCall] = {}
        self.steps: dict[tuple[Any, ...], list[Any]] = {}
        self.long = False  # whether a loop has too many passes
        self.dropped: set[tuple[Any, ...]] = set()
        self.arrays: Counter[Key] = Counter()  # by content, with the number of steps
        self.room = ALL_BYTES
        self.end = time.monotonic() + SECONDS

    def __enter__(self) -> Self:
        sys.settrace(self.enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def enter(self, frame: FrameType, event: str, _: Any) -> Local | None:
        """Trace a call of a function of the file; comprehensions and lambdas do not count."""
        code = frame.f_code
        if code.co_filename != self.file or code.co_name.startswith("<"):
            return None
        self.times[code.co_name] += 1
        if self.times[code.co_name] > CALLS:
            return None
        caller, line = self.caller(frame.f_back)
        number = len(self.calls) + 1
        self.calls.append((number, code.co_name, caller.number if caller else 0, line))
        self.open[frame] = TracedCall(self, number, frame)
        return self.open[frame].step

    def caller(self, frame: FrameType | None) -> "tuple[TracedCall | None, int]":
        """The traced call that a frame belongs to, perhaps by a comprehension, and its line."""
        while frame and frame not in self.open and frame.f_code.co_filename == self.file:
            frame = frame.f_back
        return (self.open[frame], frame.f_lineno) if frame in self.open else (None, 0)

    def inner(self, frame: FrameType, value: Any, text: str) -> None:
        """Record a part of an expression."""
        call, line = self.caller(frame)
        if call and call.visits[line] <= PASSES:
            for name, part in _parts(text, value):
                self.take((call.number, line, "inner", name), part, _bytes(part), False, [])

    def take(
        self, where: tuple[Any, ...], value: Any, data: bytes, written: bool, shares: list[str]
    ) -> None:
        """Record one value; at the same place in the same call it is another pass."""
        step = self.steps.get(where)
        if step is None and len(self.steps) >= STEPS:
            self.dropped.add(where)
            return
        if step is None:
            step = self.steps[where] = ["", (), 0, 0, False, [], None]
        step[2] += 1
        step[4], step[5] = step[4] or written, shares
        if step[6] is None or np.isfinite(np.frombuffer(step[6][2], step[6][0])).all():
            array = np.asarray(value)
            kind = array.dtype.name if isinstance(value, np.generic | np.ndarray) else ""
            key = array.dtype.str, array.shape, data
            if self.has_kept(key, array.nbytes, step[6]):
                step[6] = key
            if step[6] in (key, None):
                step[0], step[1], step[3] = kind or type(value).__name__, array.shape, step[2]

    def has_kept(self, key: Key, size: int, before: Key | None) -> bool:
        """Keep an array in the place of the one before, if there is room for it."""
        if size > BYTES or (key not in self.arrays and size > self.room):
            return False
        self.room -= 0 if key in self.arrays else size
        self.arrays[key] += 1
        if before:
            self.arrays[before] -= 1
            if not self.arrays[before]:
                self.room += len(before[2])
                del self.arrays[before]
        return True

    def sent(self) -> list[Any]:
        """The text, and the arrays; steps are in the order of their first pass."""
        places = {key: place for place, key in enumerate(self.arrays)}
        steps = [[*where, *s[:6], places.get(s[6], -1)] for where, s in self.steps.items()]
        out = [
            f"{name} was called {times} times; the first {CALLS} calls are shown"
            for name, times in self.times.items()
            if times > CALLS
        ]
        if self.long:
            out.append(f"passes of loops after the first {PASSES}")
        if self.dropped:
            out.append(f"{len(self.dropped)} further values, after the first {STEPS}")
        text = json.dumps({"calls": self.calls, "steps": steps, "left_out": out}).encode()
        arrays = [np.frombuffer(data, kind).reshape(shape) for kind, shape, data in places]
        return [np.frombuffer(text, np.uint8), *arrays]


class TracedCall:
    """One call, and the values of its names when its last line started."""

    def __init__(self, tracer: Tracer, number: int, frame: FrameType) -> None:
        self.tracer, self.number = tracer, number
        self.line = frame.f_lineno
        self.visits: Counter[int] = Counter()
        self.known: dict[str, tuple[Any, bytes]] = {}
        with suppress(Exception):
            self.look(frame, "given")

    def step(self, frame: FrameType, event: str, value: Any) -> Local:
        """Between two lines: what has changed was changed by the line before."""
        if time.monotonic() > self.tracer.end:
            raise Endless("it takes too long")
        with suppress(Exception):  # tracing must not change what happens
            if event == "return" or (event == "line" and self.visits[self.line] <= PASSES):
                self.look(frame, "made")
            if event == "return":
                self.result(value)
                del self.tracer.open[frame]
            self.line = frame.f_lineno
            self.visits[self.line] += event == "line"
            self.tracer.long |= self.visits[self.line] > PASSES
        return self.step

    def look(self, frame: FrameType, kind: str) -> None:
        """Record values that are new or were written to."""
        values = dict(_values(frame.f_locals))
        for name, value in values.items():
            before, data = self.known.get(name, (None, None))
            if before is value and type(value) in (int, float, bool):
                continue
            now = _bytes(value)
            if before is not value or data != now:
                self.known[name] = value, now
                others = [n for n, v in values.items() if n != name and _shared(v, value)]
                written = before is value and isinstance(value, np.ndarray)
                self.tracer.take((self.number, self.line, kind, name), value, now, written, others)

    def result(self, value: Any) -> None:
        """Record the returned values."""
        for name, part in _parts("returned", value):
            self.tracer.take(
                (self.number, self.line, "returned", name), part, _bytes(part), False, []
            )


def _values(names: Any) -> Iterator[tuple[str, Any]]:
    """The values among a frame's names, and the attributes of `self`."""
    for name, value in list(names.items()):
        if name == "self":
            for inner, held in getattr(value, "__dict__", {}).items():
                yield from _parts(f"self.{inner}", held)
        elif name.strip("_.0123456789"):  # neither `_` nor the iterator of a comprehension
            yield from _parts(name, value)


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The arrays and numbers in a value, which may be a list or tuple of them."""
    if _is_plain(value):
        yield name, value
    elif type(value) in (list, tuple) and value:
        if all(type(item) in (int, float, bool) for item in value) and _is_plain(np.array(value)):
            yield name, value
        else:
            for place, item in enumerate(value[:ITEMS]):
                if _is_plain(item):
                    yield f"{name}[{place}]", item


def _is_plain(value: Any) -> bool:
    if type(value) is int:
        return -(1 << 63) <= value < 1 << 63
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc" and value.dtype.char not in "gG"  # long doubles
    return type(value) in (float, bool, complex)


def _bytes(value: Any) -> bytes:
    """The content of a value; none of an array too large to look at on every line."""
    array = np.asarray(value)
    return array.tobytes() if array.nbytes <= BYTES else b""


def _shared(one: Any, other: Any) -> bool:
    both = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return both and one.ndim > 0 and bool(np.may_share_memory(one, other))
