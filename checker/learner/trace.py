"""The arrays in a learner's code, line by line, as they are computed on a small case."""

import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from checker.judge import messages
from checker.judge.example import examples, names
from checker.kata.catalog import Kata
from checker.kata.source import python_lines, read
from checker.plain import MARK, lines, plain
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import Session

if TYPE_CHECKING:
    from checker.judging.domain import Domain

Array = npt.NDArray[Any]

SCHEMA: Final = "attention-katas/trace/v1"
VALUES: Final = 64  # numbers printed of an array
CASES: Final = 300  # inputs among which the most extreme is chosen
WEIGHTS: Final = re.compile(r"softmax|weight|prob|attn|\b[pw]\b", re.IGNORECASE)
NEAR: Final = 1e-5  # from one, up to the rounding of float32
EXAMPLE, EXTREME, FAILING = "example", "extreme", "failing"


@dataclass(frozen=True)
class Step:
    """An array that a line computed, wrote to, received or returned, with some facts about it."""

    call: int
    function: str
    line: int
    kind: str  # given, made, returned
    name: str
    times: int  # how often, in a loop
    shown: int  # which of these passes
    written: bool
    shares: list[str]  # other names for the same memory
    array: Array

    @property
    def facts(self) -> dict[str, Any]:
        """Shape, dtype and statistics of the array; the statistics are of its finite numbers."""
        numbers = np.asarray(self.array, complex if self.array.dtype.kind == "c" else float)
        finite = np.abs(numbers) if numbers.dtype.kind == "c" else numbers
        finite = finite[np.isfinite(finite)]
        figures: dict[str, float | None] = dict.fromkeys(("min", "max", "mean", "std"))
        if finite.size:
            size = np.abs(finite).max() or 1.0  # its square may overflow
            figures = {name: float(getattr(finite / size, name)() * size) for name in figures}
        return {"shape": list(self.array.shape), "dtype": self.array.dtype.name, **figures}

    @property
    def flags(self) -> list[str]:
        """What is unusual about the array, in a few words each."""
        return [*_numbers(self.array), *self._sums(), *self._writing()]

    @property
    def is_weights(self) -> bool:
        """Whether it has a name like weights, and numbers between zero and one."""
        name = self.function if self.kind == "returned" else self.name
        named = self.kind != "given" and WEIGHTS.search(name)
        several = self.array.ndim > 1 and self.array.size > 0 and self.array.shape[-1] > 1
        fractions = self.array.dtype.kind == "f" and several
        return bool(named and fractions and ((self.array >= 0) & (self.array <= 1)).all())

    def _sums(self) -> Iterator[str]:
        if self.is_weights:
            sums = self.array.sum(axis=-1)
            low, high = f"{sums.min():.4g}", f"{sums.max():.4g}"
            if not (np.abs(sums - 1) <= NEAR).all():
                yield "rows sum to " + (low if high == low else f"values from {low} to {high}")

    def _writing(self) -> Iterator[str]:
        if self.written:
            also = f", and so is {', '.join(self.shares)}" if self.shares else ""
            yield f"modified in place{also}"

    def to_json(self) -> dict[str, Any]:
        """The step as plain JSON values; NaN and infinities are strings."""
        data = {**self.__dict__, **self.facts, "flags": self.flags}
        data["weights"] = self.is_weights
        data["array"] = _plain(self.array.tolist()) if self.array.dtype.kind != "c" else None
        return data


@dataclass(frozen=True)
class Trace:
    """What one file computed on one case."""

    kata: str
    file: str
    source: str
    case: str
    steps: list[Step] = field(default_factory=list)
    stopped: str | None = None  # the exception, or how the process ended
    stdout: str = ""
    excerpt: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The trace as plain JSON values."""
        data = {"schema": SCHEMA, **asdict(self)}
        return {**data, "steps": [step.to_json() for step in self.steps]}


def record(kata: Kata, file: Path, case: str = EXAMPLE, isolation: str = "auto") -> Trace:
    """Run the file in a worker on the example of its kata, or on an input from its domain.

    `case` is `example`, `failing` (the call in which the first invariant breaks), `extreme` (the
    input with the largest number) or the number of an input. Raises `BadSource`, `NotGraded`, and
    `NotIncluded` if the case needs a part that is not here.
    """
    failing = None
    if case == FAILING:
        kata.need("invariants")
        from checker.judge.grading import first_failure

        failing = first_failure(kata, file, isolation)
    if failing:
        case = f"{FAILING}: {failing[0]}"
    elif case == FAILING:  # no invariant breaks, or none could be asked
        case = EXAMPLE
    elif case != EXAMPLE:
        kata.need("domain")
    source, stopped = read(file), None
    excerpt: list[str] = []
    with Session(isolation) as session:
        session.steps = []
        try:
            session.load(file.name, source.text)
            if failing:
                function, inputs = failing[1]
                getattr(session.subject, function)(*inputs)
            else:
                _run(kata, session.subject, case)
        except Raised as error:
            stopped, excerpt = messages.of_the_file(error), messages.excerpt(error)
        except Lost as lost:
            stopped = lost.message
        except Exception as error:  # raised by the case itself, on what was returned
            stopped = f"the returned value is unusable ({type(error).__name__}: {error})"
    steps = [step for step in map(_step, session.steps) if step]
    return Trace(kata.name, file.name, source.text, case, steps, stopped, session.printed, excerpt)


def render(trace: Trace, *, values: bool = False, heatmap: bool = False) -> Iterator[str]:
    """The lines for a terminal: each line of code once, with what it computed below."""
    code = python_lines(trace.source)
    at = None
    for step in trace.steps:
        if at != (step.call, step.line, step.kind):
            at = step.call, step.line, step.kind
            yield _heading(step, code)
        yield f"        {plain(step.name):<9} {_facts(step)}"
        yield from (f"                  ! {plain(flag)}" for flag in step.flags)
        if values:
            yield from _values(step.array)
        if heatmap and step.is_weights:
            yield from _shades(step.array)
    if not trace.steps and not trace.stopped:
        yield "  no function in this file used an array"
    if trace.stdout.strip():
        yield "Your code printed:"
        yield from lines(trace.stdout.rstrip(), f"  {MARK}")
    if trace.stopped:
        yield f"it stopped: {plain(trace.stopped)}"
        yield from (f"  {MARK}{plain(line)}" for line in trace.excerpt)


def _values(array: Array) -> Iterator[str]:
    if array.size > VALUES:
        yield f"                  ({array.size} numbers; at most {VALUES} are printed)"
        return
    text = np.array2string(array, precision=4, suppress_small=True)
    yield from (f"                  {line}" for line in text.splitlines() if line.strip())


def _run(kata: Kata, subject: Any, case: str) -> None:
    if case != EXAMPLE:
        from checker.judging.domain import Domain

        domain = Domain(kata.domain)
        number = _most_extreme(domain) if case == EXTREME else int(case)
        answer = domain.answer(subject, number)
        if isinstance(answer, Exception):
            raise answer
        return
    known = names(kata, subject)
    with np.errstate(all="ignore"):
        for example in examples(kata):
            exec(example.source, known)


def _most_extreme(domain: "Domain") -> int:
    def size(number: int) -> float:
        arrays = [np.abs(np.nan_to_num(np.asarray(a, float))) for a in domain.inputs(number)]
        return max((float(array.max(initial=0)) for array in arrays), default=0.0)

    return max(range(CASES), key=size)


def _step(sent: Any) -> Step | None:
    """A step from a worker, which may have sent anything instead."""
    kinds = (int, str, int, str, str, int, int, bool, list, np.ndarray)
    if not isinstance(sent, tuple) or [type(part) for part in sent] != list(kinds):
        return None
    step = Step(*sent)
    return step if all(isinstance(name, str) for name in step.shares) else None


def _heading(step: Step, code: list[str]) -> str:
    if step.kind == "given":
        return f"{step.line:>4}  {plain(step.function)} is given"
    text = code[step.line - 1].strip() if 0 < step.line <= len(code) else ""
    return f"{step.line:>4}  {plain(text)}"


def _facts(step: Step) -> str:
    facts = step.facts
    shape = str(tuple(facts["shape"]))
    if facts["dtype"] == "bool":
        return f"{shape:<14} bool     {step.array.sum()} of {step.array.size} True"
    figures = " ".join(
        f"{name} {facts[name]:.4g}" for name in ("min", "max", "mean", "std")
        if facts[name] is not None
    )  # fmt: skip
    passes = f"  (pass {step.shown} of {step.times})" if step.times > 1 else ""
    return f"{shape:<14} {facts['dtype']:<8} {figures}{passes}"


def _numbers(array: Array) -> Iterator[str]:
    """What is unusual about the numbers themselves."""
    if array.dtype.kind == "f":
        for what, found in (("NaN", np.isnan(array)), ("inf", np.isposinf(array)),
                            ("-inf", np.isneginf(array))):  # fmt: skip
            if found.any():
                yield f"{what} in {found.sum()} of {array.size} places"
    if array.size > 1 and (array == array.flat[0]).all():
        yield f"all equal to {array.flat[0] + 0:.4g}"  # and not to -0


def _shades(array: Array) -> Iterator[str]:
    """Each matrix as a picture, darker is more: one row per query, with its sum."""
    top = array.max() or 1.0
    yield f"                  (@@ is {top:.4g})"
    for where in np.ndindex(array.shape[:-2]):
        if where:
            yield f"                  {list(where)}"
        for row in array[where]:
            cells = "".join(2 * " .:-=+*#%@"[min(int(10 * value / top), 9)] for value in row)
            yield f"                  |{cells}|  sum {row.sum():.4g}"


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value
