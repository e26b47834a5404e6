"""What a trace consists of: calls and steps, as a worker sends them."""

import ast
import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WEIGHTS: Final = re.compile(r"softmax|weight|prob|attn|\b[pw]\b", re.IGNORECASE)
GIVEN, INNER, MADE, RETURNED = "given", "inner", "made", "returned"
CALL: Final = [int, str, int, int]
STEP: Final = [int, int, str, str, str, list, int, int, bool, list, int]


@dataclass(frozen=True)
class CallSeen:
    """A call of one of the learner's functions; `caller` is 0 if it was not one of theirs."""

    number: int
    function: str
    caller: int
    line: int  # in the caller


@dataclass(frozen=True)
class Step:
    """A value that a line computed, wrote to, received or returned, with some facts about it."""

    call: int
    line: int
    kind: str
    name: str
    type: str  # the dtype of an array, or the type of a Python value
    shape: list[int]
    times: int  # how often, in a loop
    shown: int  # which of these passes
    written: bool
    shares: list[str]  # other names for the same memory
    array: Array | None  # None if it is too large to be recorded
    function: str
    flags: list[str] = field(default_factory=list)

    @property
    def facts(self) -> dict[str, float | None]:
        """Statistics of the finite numbers."""
        figures: dict[str, float | None] = dict.fromkeys(("min", "max", "mean", "std"))
        if self.array is not None:
            numbers = np.asarray(self.array, complex if self.array.dtype.kind == "c" else float)
            finite = np.abs(numbers) if numbers.dtype.kind == "c" else numbers
            finite = finite[np.isfinite(finite)]
            if finite.size:
                size = np.abs(finite).max() or 1.0  # its square may overflow
                figures = {
                    name: float(getattr(finite / size, name)() * size) + 0.0 for name in figures
                }
        return figures

    @property
    def is_weights(self) -> bool:
        """Whether it has a name like weights, and numbers between zero and one."""
        name = self.function if self.kind == RETURNED else self.name
        if self.kind == INNER:
            name = name if name.startswith("softmax(") and name.endswith(")") else ""
        if self.array is None or self.kind == GIVEN or not WEIGHTS.search(name):
            return False
        several = self.array.ndim > 1 and self.array.size > 0 and self.array.shape[-1] > 1
        fractions = self.array.dtype.kind == "f" and several
        return bool(fractions and ((self.array >= 0) & (self.array <= 1)).all())


@dataclass
class Recording:
    """The calls and steps of a run, and what was left out."""

    calls: dict[int, CallSeen] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, sent: Any, lines: dict[int, int]) -> None:
        """Add what a worker sent, which may be anything, for one more call of the file.

        `lines` maps each line to that on which its statement starts.
        """
        offset = max(self.calls, default=0)
        try:
            text, *arrays = sent
            data = json.loads(text.tobytes())
            calls, steps, left_out = data["calls"], data["steps"], data["left_out"]
            for sent_call in calls:
                number, function, caller, line = _checked(sent_call, CALL)
                call = CallSeen(number + offset, function, caller + offset if caller else 0, line)
                self.calls[call.number] = call
            for sent_step in steps:
                self.steps.append(self._step(_checked(sent_step, STEP), arrays, offset, lines))
            self.left_out += map(str, left_out)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            self.left_out.append("what was traced cannot be read")

    def _step(self, sent: Any, arrays: list[Any], offset: int, lines: dict[int, int]) -> Step:
        number, line, kind, name, type_, shape, times, shown, written, shares, place = sent
        array = None
        if place >= 0:
            (array,) = _checked([arrays[place]], [np.ndarray])
            shape = list(array.shape)
        return Step(
            number + offset, lines.get(line, line), kind, name, type_, list(map(int, shape)),
            times, shown, written, list(map(str, shares)), array,
            self.calls[number + offset].function,
        )  # fmt: skip


def statement_lines(tree: ast.Module) -> dict[int, int]:
    """For each line, the line on which its innermost statement starts."""
    found = {}
    for node in ast.walk(tree):  # outer statements before those inside
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[line] = node.lineno
    return found


def _checked(values: Any, kinds: list[type]) -> list[Any]:
    if [type(value) for value in values] != kinds:
        raise TypeError("not what a worker sends")
    return list(values)
