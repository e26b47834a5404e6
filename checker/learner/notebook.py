"""For a notebook: grade functions of its process, load a kata, read hints, trace a cell."""

import io
import linecache
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final

from checker.judge import messages
from checker.judge.grading import Judge
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.verdict import Isolation, Verdict
from checker.learner import cells
from checker.learner.page import page
from checker.learner.text import MARKS, render
from checker.learner.trace import Trace, record
from checker.learner.traced_case import EXAMPLE
from checker.learner.tracing import render as traced_lines
from checker.plain import plain
from checker.sandbox import wire
from checker.sandbox.guest.worker import FRAMES, Worker
from checker.sandbox.host.calls import Caller, Lost, Raised

NOTE: Final = "Nothing is isolated here: your code ran in this process, without time limits."

_read: Counter[str] = Counter()  # the last hint read of each kata: a notebook keeps no progress
_broken: dict[str, list[str]] = {}  # what the last check of each kata found broken


def check(kata: str, *parts: cells.Part) -> "Report":
    """Grade functions or classes as a kata, each under its own name.

    Raises `UnknownKata` if there is no such kata, `TypeError` for anything without a name, and
    `ValueError` for a function of another kata's cell.
    """
    found = _found("check", kata, parts)
    (verdict,) = NotebookJudge(parts).run([Job(found, Path("your cells"))])
    _broken[found.name] = verdict.broken
    return Report(verdict, found)


def trace(kata: str, *parts: cells.Part, case: str = EXAMPLE) -> "Traced":
    """Show the values in the cells that define functions or classes, as they run in a worker.

    For `case` see `checker.learner.trace.record`; for what is raised, `check`.
    """
    found = _found("trace", kata, parts)
    if not parts:
        raise ValueError(f"pass your functions: {cells.call('trace', found)}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{found.name}.py")
        file.write_text(cells.source(parts), encoding="utf-8")
        return Traced(record(found, file, case))


def load(kata: str) -> "Line":
    """Replace this cell with the code of a kata as it was shipped.

    Raises `UnknownKata`, and `RuntimeError` outside of IPython.
    """
    found = catalog.find(str(kata))
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if not shell:
        raise RuntimeError("load fills a cell of a notebook, and this is not one")
    shell.set_next_input(found.text.rstrip("\n"), replace=True)
    return Line(f"run the code, then {cells.call('check', found)}")


def hint(kata: str, number: int | None = None) -> "Line":
    """The next hint on a kata, or one that was read before.

    Raises `UnknownKata`, and `ValueError` for a hint that does not come next.
    """
    found = catalog.find(str(kata))
    last, read = len(found.hints), _read[found.name]
    following = min(found.next_hint(read, _broken.get(found.name, ())), last)
    number = number or following
    if not 1 <= number <= max(following, read):
        first = f"hint {following} of {found.name} comes first"
        raise ValueError(first if 1 <= number <= last else f"{found.name} has hints 1 to {last}")
    _read[found.name] = max(number, read)
    return Line(f"{found.name}, hint {number} of {last}: {found.hints[number - 1]}")


def _found(tool: str, kata: str, parts: tuple[cells.Part, ...]) -> catalog.Kata:
    """The kata, if the parts can be its own; see `check`."""
    for part in parts:
        if not callable(part) or not hasattr(part, "__name__"):
            raise TypeError(f"{tool} takes functions and classes, not a {type(part).__name__}")
    found = catalog.find(str(kata))
    cells.assert_from_its_cell(found, parts)
    return found


class Line(str):
    """A text that a notebook shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Traced:
    """A trace that displays as its page in a notebook, and as lines elsewhere."""

    trace: Trace

    def __repr__(self) -> str:
        return "\n".join(traced_lines(self.trace))

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 40em; border: 0"
        return (
            f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page(self.trace))}">'
            "</iframe>"
        )


@dataclass(frozen=True)
class Report:
    """A verdict that displays as a table in a notebook, and as lines elsewhere."""

    verdict: Verdict
    kata: catalog.Kata

    @property
    def passed(self) -> bool:
        """Whether every invariant is kept."""
        return self.verdict.status == "pass"

    def __repr__(self) -> str:
        *lines, _ = render(self.verdict, self.kata)
        return "\n".join([*lines, f"({NOTE})"])

    def _repr_html_(self) -> str:
        return "\n".join(self._markup())

    def _markup(self) -> Iterator[str]:
        verdict = self.verdict
        points = f"{verdict.status}, {verdict.score} of {verdict.max_score} points"
        yield f"<table><caption>{verdict.kata}: {escape(verdict.title)}, {points}</caption>"
        for check in verdict.checks:
            cells = (MARKS[check.status].strip(), check.statement, check.message or "")
            inner = "".join(f"<td style='text-align: left'>{escape(plain(c))}</td>" for c in cells)
            yield f"<tr>{inner}</tr>"
        if verdict.message:
            yield f"<tr><td colspan=3>{escape(plain(verdict.message))}</td></tr>"
        yield f"</table><small>{NOTE}</small>"


class NotebookJudge(Judge):
    """A judge that calls functions of this process directly, without a worker."""

    def __init__(self, parts: tuple[cells.Part, ...]) -> None:
        super().__init__(seed=0, isolation="none", seconds=0.0)
        self.parts = parts

    @contextmanager
    def _loaded(self, verdict: Verdict, job: Job) -> Iterator[Caller | None]:
        caller = InProcess(self.parts)
        verdict.isolation = Isolation(caller.level, caller.layers, caller.missing)
        if set(cells.needed(job.kata)) <= set(caller.names):
            yield caller
        else:
            given = ", ".join(caller.names) or "nothing"
            want = cells.call("check", job.kata)
            messages.enter(verdict, Lost("missing-name", f"you passed {given}, want {want}"))
            yield None


class InProcess(Caller):
    """Calls functions of this process; inputs and results go through the same frames as a pipe."""

    def __init__(self, parts: tuple[cells.Part, ...]) -> None:
        super().__init__()
        self.level, self.layers, self.missing = "none", [], ["process"]
        self.names = [part.__name__ for part in parts]
        module = ModuleType("cells")
        module.__dict__.update({part.__name__: part for part in parts})
        self.worker = Cells({part.__module__ for part in parts})
        self.worker.objects = [module]

    def allow(self, seconds: float) -> None:
        """No limit: there is no other process to enforce it."""

    def restart(self) -> None:
        """No limit, see `allow`."""

    def close(self) -> None:
        """Nothing to end."""

    def ask(self, header: wire.Tree, payload: bytes) -> tuple[wire.Tree, bytes]:
        """Call the worker's own code; see `Caller.ask`."""
        if self.lost:
            raise self.lost
        request = wire.read_frame(io.BytesIO(wire.frame(header, payload)).read)
        reply, data = wire.read_frame(io.BytesIO(self.worker.answer(*request)).read)
        if "raised" not in reply:
            return reply, data
        if reply["raised"]["type"] == "KeyboardInterrupt":
            raise KeyboardInterrupt
        raise Raised(reply["raised"])


class Cells(Worker):
    """A worker for what is defined in some modules of this process."""

    def __init__(self, modules: set[str]) -> None:
        super().__init__()
        self.modules = modules

    def is_own(self, name: object) -> bool:
        """Whether a class with this module name is the learner's."""
        return name in self.modules

    def ends(self, code: object) -> bool:
        """Do not end the process: that would end the notebook."""
        return False

    def frames(self, trace: TracebackType | None) -> list[Any]:
        """The last frames in cells, each as line and code."""
        steps = [
            [number, linecache.getline(frame.f_code.co_filename, number).strip()]
            for frame, number in traceback.walk_tb(trace)
            if frame.f_globals.get("__name__") in self.modules
        ]
        return steps[-FRAMES:]
