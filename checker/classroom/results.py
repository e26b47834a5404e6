"""A class as it was graded: who, what, and what came of it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Graded:
    """One submission and its verdict, in the form of `Verdict.to_json`."""

    student: str
    kata: str
    name: str  # where it was found
    when: str | None  # handed in, UTC
    earlier: list[str | None]  # when those before it were, as far as is known
    verdict: Json
    diagnosis: str | None = None  # the line of the named fault whose answers are the same

    @property
    def passed(self) -> bool:
        """Whether every invariant holds."""
        return bool(self.verdict["status"] == "pass")


@dataclass(frozen=True)
class Batch:
    """All results of a class, in the order of students and katas."""

    katas: list[str]
    students: list[str]  # those of the roster who handed in nothing too
    results: list[Graded]
    names: dict[str, str] = field(default_factory=dict)  # of students, where a roster has them
    seed: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)  # what was not taken, and why
    exam: bool = False  # which invariants broke, and no numbers

    def of(self, student: str) -> dict[str, Graded]:
        """The student's results by kata."""
        return self._by_student.get(student, {})

    @cached_property
    def _by_student(self) -> dict[str, dict[str, Graded]]:
        found: dict[str, dict[str, Graded]] = {}
        for one in self.results:
            found.setdefault(one.student, {})[one.kata] = one
        return found
