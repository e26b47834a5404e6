"""Trace a subject line by line: each array when it is computed. This runs in the worker.

A step is sent as (call, function, line, kind, name, times, shown, written, shares, array), where
kind is `given`, `made` or `returned`. The passes of a loop become one step, which shows the first
pass with a number that is not finite, or else the last.
"""

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
BYTES: Final = 64 * 1024  # at most, of one array
ALL_BYTES: Final = 1 << 20
SECONDS: Final = 1.0

Local = Callable[[FrameType, str, Any], Any]


class Endless(BaseException):
    """The call takes too long; the steps recorded so far are kept."""


class Tracer:
    """Traces the frames of one file, as a context manager."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.calls: Counter[str] = Counter()
        self.number = 0
        self.steps: dict[tuple[Any, ...], list[Any]] = {}
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
        self.calls[code.co_name] += 1
        if self.calls[code.co_name] > CALLS:
            return None
        self.number += 1
        return TracedCall(self, self.number, frame).step

    def take(self, where: tuple[Any, ...], value: Any, written: bool, shares: list[str]) -> None:
        """Record one array; at the same place in the same call it is another pass."""
        step = self.steps.get(where)
        if step is None and (len(self.steps) >= STEPS or self.room < value.nbytes):
            return
        if step is None:
            self.room -= value.nbytes
            step = self.steps[where] = [*where, 0, 0, False, [], None]
        step[5] += 1
        step[7], step[8] = step[7] or written, shares
        if step[9] is None or np.isfinite(step[9]).all():
            step[6], step[9] = step[5], np.array(value)

    def sent(self) -> list[tuple[Any, ...]]:
        """The steps, in the order of their first pass."""
        return [tuple(step) for step in self.steps.values()]


class TracedCall:
    """One call, and the values of its names when its last line started."""

    def __init__(self, tracer: Tracer, number: int, frame: FrameType) -> None:
        self.tracer, self.number, self.name = tracer, number, frame.f_code.co_name
        self.line = frame.f_lineno
        self.known: dict[str, tuple[Any, bytes]] = {}
        with suppress(Exception):
            self.look(frame, "given")

    def step(self, frame: FrameType, event: str, value: Any) -> Local:
        """Between two lines: what has changed was changed by the line before."""
        if time.monotonic() > self.tracer.end:
            raise Endless("it takes too long")
        with suppress(Exception):  # tracing must not change what happens
            if event in ("line", "return"):
                self.look(frame, "made")
            if event == "return":
                self.result(value)
            self.line = frame.f_lineno
        return self.step

    def look(self, frame: FrameType, kind: str) -> None:
        """Record arrays that are new or were written to."""
        arrays = dict(_arrays(frame.f_locals))
        for name, value in arrays.items():
            before, data = self.known.get(name, (None, b""))
            now = value.tobytes()
            if before is not value or data != now:
                self.known[name] = value, now
                others = [n for n, v in arrays.items() if n != name and _shared(v, value)]
                where = (self.number, self.name, self.line, kind, name)
                self.tracer.take(where, value, before is value, others)

    def result(self, value: Any) -> None:
        """Record the returned arrays."""
        several = isinstance(value, tuple | list)
        for number, one in enumerate(value if several else [value]):
            if _is_array(one):
                name = f"returned[{number}]" if several else "returned"
                where = (self.number, self.name, self.line, "returned", name)
                self.tracer.take(where, one, False, [])


def _arrays(names: Any) -> Iterator[tuple[str, Any]]:
    """The arrays among a frame's names, and the attributes of `self`."""
    for name, value in list(names.items()):
        if name == "self":
            for inner, held in getattr(value, "__dict__", {}).items():
                if _is_array(held):
                    yield f"self.{inner}", held
        elif _is_array(value):
            yield name, value


def _is_array(value: Any) -> bool:
    plain = isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc"
    return plain and value.nbytes <= BYTES


def _shared(one: Any, other: Any) -> bool:
    return isinstance(one, np.ndarray) and one.ndim > 0 and bool(np.may_share_memory(one, other))
