"""Grade functions of this process: for a notebook, where nothing is isolated."""

import io
import linecache
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final

from checker.judge.grading import Judge
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.verdict import Isolation, Verdict
from checker.learner.text import MARKS, render
from checker.plain import plain
from checker.sandbox import wire
from checker.sandbox.guest.worker import FRAMES, Worker
from checker.sandbox.host.calls import Caller, Lost, Raised

NOTE: Final = "Nothing is isolated here: your code ran in this process, without time limits."


def check(kata: str, *parts: Callable[..., Any]) -> "Report":
    """Grade functions or classes as a kata, each under its own name.

    Raises `UnknownKata` if there is no such kata, `TypeError` for anything without a name.
    """
    kata = str(kata)
    for part in parts:
        if not callable(part) or not hasattr(part, "__name__"):
            raise TypeError(f"check takes functions and classes, not a {type(part).__name__}")
    found = catalog.find(kata)
    (verdict,) = NotebookJudge(parts).run([Job(found, Path("your cells"))])
    return Report(verdict, found)


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

    def __init__(self, parts: tuple[Callable[..., Any], ...]) -> None:
        super().__init__(seed=0, isolation="none", seconds=0.0)
        self.parts = parts

    @contextmanager
    def _loaded(self, verdict: Verdict, job: Job) -> Iterator[Caller]:
        caller = InProcess(self.parts)
        verdict.isolation = Isolation(caller.level, caller.layers, caller.missing)
        yield caller


class InProcess(Caller):
    """Calls functions of this process; inputs and results go through the same frames as a pipe."""

    def __init__(self, parts: tuple[Callable[..., Any], ...]) -> None:
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

    def missing_name(self, name: str) -> Lost:
        """What to raise if none of the functions has this name."""
        given = ", ".join(self.names) or "nothing"
        return Lost("missing-name", f"you passed {given}, want {name}")


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
