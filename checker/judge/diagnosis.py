"""Diagnosis: which known bug a file behaves like, by comparing its results with those of others.

The others are the reference, the kata as shipped, plausible wrong fixes and planted faults.
"""

import ast
import tempfile
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Final

from checker.faults import mutants
from checker.judge import grading
from checker.judge.job import Job
from checker.judge.messages import of_the_file
from checker.judging.domain import Answer, module
from checker.kata.catalog import Kata
from checker.kata.source import fingerprint
from checker.kata.verdict import Verdict
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import BUDGET, SECONDS, Session

REFERENCE: Final = "like the reference"
SHIPPED: Final = "as shipped"
SAME_FIX: Final = "like this wrong fix"
UNKNOWN: Final = "like no known bug"
OUT_OF_TIME: Final = f"too slowly to compare it with known bugs: it has {BUDGET:g} s for everything"


@dataclass
class Known:
    """A program that is compared with; `line` completes "your code behaves …"."""

    line: str
    source: str
    answers: list[Answer] = field(default_factory=list)
    broken: dict[tuple[int, str], set[str]] = field(default_factory=dict)

    @cached_property
    def subject(self) -> ModuleType:
        """The module; it is called for every case of the domain at most once, in their order."""
        return module(self.source)

    def agrees(self, kata: Kata, got: list[Answer]) -> bool:
        """Whether it gives these results for all cases of the domain, up to rounding."""
        domain = grading.domain_of(kata)
        for number, result in enumerate(got):
            if number == len(self.answers):
                self.answers.append(domain.answer(self.subject, number))
            if _differ(kata, number, result, self.answers[number]):
                return False
        return True

    def breaks(self, kata: Kata, seed: int, isolation: str) -> set[str]:
        """The names of the invariants that it breaks."""
        if (seed, isolation) not in self.broken:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, f"{kata.name}.py")
                path.write_text(self.source, encoding="utf-8")
                verdict = grading.grade(kata, path, seed=seed, isolation=isolation)
            self.broken[seed, isolation] = _broken(verdict)
        return self.broken[seed, isolation]


def diagnose(job: Job, isolation: str = "auto", verdict: Verdict | None = None) -> str:
    """What completes "your code behaves …". Raises `BadSource` and `NotGraded`.

    The file runs in a worker; the reference and the faults planted in it are trusted. With the
    `verdict` on the file, it has what that left of its `BUDGET`.
    """
    kata, source = job.kata, job.source()
    if source.fingerprint == fingerprint(kata.text):
        return _as_shipped(kata)
    left = BUDGET - (verdict.duration_ms / 1000 if verdict else 0.0)
    if left <= 0:
        return OUT_OF_TIME
    with Session(isolation, left) as session:
        try:
            session.load(job.path.name, source.text)
        except (Raised, Lost) as error:
            why = of_the_file(error) if isinstance(error, Raised) else error.message
            return f"{UNKNOWN}: it does not run ({why})"
        session.allow(SECONDS)
        got = grading.domain_of(kata).answers(session.subject)
        if session.lost:
            return OUT_OF_TIME if session.lost.reason == "time-limit" else UNKNOWN
    alike = [one for one in known(kata) if one.agrees(kata, got)]
    certain = len(alike) == 1 and alike[0].line != REFERENCE
    if certain:
        return alike[0].line
    verdict = verdict or grading.grade_all([job], isolation=isolation)[0]
    for one in alike:
        if one.breaks(kata, verdict.seed, isolation) == _broken(verdict):
            return one.line
    return UNKNOWN


def _broken(verdict: Verdict) -> set[str]:
    return {check.name for check in verdict.checks if check.status != "kept"}


def _differ(kata: Kata, number: int, got: Answer, want: Answer) -> bool:
    """Whether two answers to a case of the domain differ, or are exceptions of two types."""
    if isinstance(got, Raised) and isinstance(want, Exception):
        return got.type != type(want).__name__
    return grading.domain_of(kata).difference(number, got, want) is not None


@cache
def known(kata: Kata) -> list[Known]:
    """The reference, the shipped kata, wrong fixes, and every fault planted in the reference."""
    text = kata.reference.read_text(encoding="utf-8")
    fixes = [file.read_text(encoding="utf-8") for file in kata.near_misses]
    fixed = [Known(f"{SAME_FIX}: {_first_line(fix)}", fix) for fix in fixes]
    planted = [Known(f"as if {mutant.fault.line}", mutant.source) for mutant in mutants(text)]
    return [Known(REFERENCE, text), Known(_as_shipped(kata), kata.text), *fixed, *planted]


def _as_shipped(kata: Kata) -> str:
    return f"{SHIPPED}: {kata.bug}"


def _first_line(source: str) -> str:
    """The first line of the docstring, without its full stop."""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0].removesuffix(".")
