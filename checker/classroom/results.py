"""The results of a class: its students, and the verdict on each submission."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from checker.classroom.collect.names import display_name, safe_name
from checker.kata.catalog import Kata
from checker.kata.verdict import Json


@dataclass(frozen=True)
class Result:
    """One submission and its verdict, in the form of `Verdict.to_json`."""

    student: str
    kata: str
    name: str  # the path where it was found
    when: datetime | None  # handed in, UTC, if known
    earlier: list[datetime | None]  # when older versions were handed in, the oldest first
    verdict: Json
    diagnosis: str | None = None  # completes "the code behaves ...", if it matches a known bug

    @property
    def status(self) -> str:
        """The status of the verdict."""
        return str(self.verdict["status"])

    @property
    def passed(self) -> bool:
        """Whether every invariant holds."""
        return self.status == "pass"

    def to_json(self) -> Json:
        """The result as plain JSON values."""
        return {**vars(self), "when": _iso(self.when), "earlier": [*map(_iso, self.earlier)]}


@dataclass(frozen=True)
class Student:
    """One student, with results by kata, and the names to show and to use for files."""

    id: str
    name: str = ""  # from the roster
    results: dict[str, Result] = field(default_factory=dict)

    @cached_property
    def display(self) -> str:
        """The name, if known, and the identifier: short, on one line."""
        return display_name(self.id, self.name)

    @cached_property
    def file(self) -> str:
        """The name of this student's files, without the suffix."""
        return safe_name(self.id)

    @property
    def attempts(self) -> int:
        """The most submissions for one kata, as far as they are known."""
        return max((1 + len(one.earlier) for one in self.results.values()), default=0)


@dataclass(frozen=True)
class Results:
    """All results of a class."""

    katas: list[Kata]
    students: list[Student]  # including those on the roster who handed in nothing
    seed: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)  # path and reason
    exam: bool = False  # feedback says which invariants broke, without numbers

    def __iter__(self) -> Iterator[Result]:
        """Every result, by student and kata."""
        return (one for student in self.students for one in student.results.values())


def _iso(when: datetime | None) -> str | None:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ") if when else None
