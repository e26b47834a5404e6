"""The values in a learner's code, line by line, as they are computed on a small case."""

import ast
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from checker.judge import messages
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.learner.flags import add_flags
from checker.learner.steps import CallSeen, Recording, Step, statement_lines
from checker.learner.traced_case import EXAMPLE, TracedCase, case_of
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import Session

SCHEMA: Final = "attention-katas/trace/v2"


@dataclass(frozen=True)
class Against:
    """How a run compares with that of another file; `line` is None if no value differs."""

    file: str
    line: int | None
    text: str


@dataclass(frozen=True)
class Trace:
    """What one file computed on one case."""

    kata: str
    file: str
    source: str
    case: str
    broken: list[str] = field(default_factory=list)  # the statement that fails there, with numbers
    steps: list[Step] = field(default_factory=list)
    calls: dict[int, CallSeen] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    stopped: str | None = None  # the exception, or how the process ended
    stdout: str = ""
    excerpt: list[str] = field(default_factory=list)
    against: Against | None = None

    def to_json(self) -> dict[str, Any]:
        """The trace as plain JSON values."""
        calls = [call.__dict__ for call in self.calls.values()]
        steps = [
            {**step.__dict__, **step.facts, "weights": step.is_weights, "array": _plain(step)}
            for step in self.steps
        ]
        against = self.against.__dict__ if self.against else None
        lists = {"calls": calls, "steps": steps, "against": against}
        return {"schema": SCHEMA, **self.__dict__, **lists}


def record(kata: Kata, file: Path, case: str = EXAMPLE, isolation: str = "auto") -> Trace:
    """Run the file in a worker on a case; see `case_of` for its names and what is raised."""
    return run(kata, file, case_of(kata, file, case, isolation), isolation)


def run(kata: Kata, file: Path, case: TracedCase, isolation: str = "auto") -> Trace:
    """Run the file in a worker on a case. Raises `BadSource` and `NotGraded`."""
    source, stopped = read(file), None
    excerpt: list[str] = []
    with Session(isolation) as session:
        session.steps = []
        try:
            session.load(file.name, source.text)
            case.run(session.subject)
        except Raised as error:
            stopped, excerpt = messages.of_the_file(error), messages.excerpt(error)
        except Lost as lost:
            stopped = lost.message
        except Exception as error:  # raised by the case itself, on what was returned
            stopped = f"the returned value is unusable ({type(error).__name__}: {error})"
    found = Recording()
    if session.steps:
        tree = ast.parse(source.text)
        for sent in session.steps:
            found.add(sent, statement_lines(tree))
        add_flags(found, tree)
    return Trace(
        kata.name, file.name, source.text, case.name, case.broken, found.steps, found.calls,
        found.left_out, stopped, session.printed, excerpt,
    )  # fmt: skip


def _plain(step: Step) -> Any:
    """The numbers of a step for JSON, where NaN and infinities are strings."""
    if step.array is None or step.array.dtype.kind == "c":
        return None
    return _words(step.array.tolist())


def _words(value: Any) -> Any:
    if isinstance(value, list):
        return [_words(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value
