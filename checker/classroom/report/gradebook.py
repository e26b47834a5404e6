"""The gradebook: a class as CSV, under the headings that the import of a platform looks for."""

from collections.abc import Iterator
from csv import writer
from dataclasses import dataclass
from io import StringIO
from typing import Final, Literal

from checker.classroom.results import Batch, Graded
from checker.kata.verdict import MAX_SCORE

Headings = Literal["plain", "canvas", "moodle", "gradescope"]
Cells = list[str | int]

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute
GRADESCOPE: Final = {"missing": "Missing", "not-graded": "Ungraded"}


@dataclass(frozen=True)
class Row:
    """What a gradebook says of one student."""

    student: str
    name: str  # empty where it is not known
    points: Cells  # by kata; empty where nothing was handed in or it was not graded
    total: int
    status: str
    attempts: int  # the most of one kata that are known

    @property
    def email(self) -> str:
        """The identifier, where it is an address."""
        return self.student if "@" in self.student else ""

    @property
    def number(self) -> str:
        """The identifier, where it is none."""
        return "" if self.email else self.student


def csv(batch: Batch, headings: Headings = "plain") -> str:
    """One row a student, in the order of the class; nothing in it depends on when it was made.

    Lines end as RFC 4180 has it, in CR LF: write it to a file that was opened with `newline=""`.
    """
    layouts = {"plain": _plain, "canvas": _canvas, "moodle": _moodle, "gradescope": _gradescope}
    text = StringIO()
    lines = writer(text, lineterminator="\r\n")
    for cells in layouts[headings](batch.katas, [_row(batch, one) for one in batch.students]):
        lines.writerow([_defused(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def _row(batch: Batch, student: str) -> Row:
    graded = batch.of(student)
    points: Cells = [
        graded[kata].verdict["score"]
        if kata in graded and graded[kata].verdict["status"] != "not-graded"
        else ""
        for kata in batch.katas
    ]
    return Row(
        student,
        batch.names.get(student, ""),
        points,
        sum(number for number in points if isinstance(number, int)),
        _status(batch.katas, graded),
        max((1 + len(one.earlier) for one in graded.values()), default=0),
    )


def _status(katas: list[str], graded: dict[str, Graded]) -> str:
    if not graded:
        return "missing"
    if any(one.verdict["status"] == "not-graded" for one in graded.values()):
        return "not-graded"
    whole = all(kata in graded and graded[kata].passed for kata in katas)
    return "pass" if whole else "fail"


def _plain(katas: list[str], rows: list[Row]) -> Iterator[Cells]:
    yield ["student", "name", *katas, "total", "maximum", "status", "attempts"]
    for row in rows:
        yield [row.student, row.name, *row.points, *_sums(katas, row)]


def _canvas(katas: list[str], rows: list[Row]) -> Iterator[Cells]:
    """Canvas finds a student by the login and adds up by itself: any column is an assignment."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *katas]
    yield ["    Points Possible", "", "", "", "", *([MAX_SCORE] * len(katas))]
    for row in rows:
        yield [row.name or row.student, "", "", row.student, "", *row.points]


def _moodle(katas: list[str], rows: list[Row]) -> Iterator[Cells]:
    yield ["Full name", "ID number", "Email address", *katas,
           "Total", "Maximum", "Status", "Attempts"]  # fmt: skip
    for row in rows:
        yield [row.name, row.number, row.email, *row.points, *_sums(katas, row)]


def _gradescope(katas: list[str], rows: list[Row]) -> Iterator[Cells]:
    questions = [f"{i}: {kata} ({MAX_SCORE}.0 pts)" for i, kata in enumerate(katas, 1)]
    yield ["First Name", "Last Name", "SID", "Email", "Total Score", "Max Points", "Status",
           "Submission Count", *questions]  # fmt: skip
    for row in rows:
        first, _, last = row.name.rpartition(" ")
        total, maximum, status, attempts = _sums(katas, row)
        yield [first or last, last if first else "", row.number, row.email, total, maximum,
               GRADESCOPE.get(str(status), "Graded"), attempts, *row.points]  # fmt: skip


def _sums(katas: list[str], row: Row) -> Cells:
    return [row.total, MAX_SCORE * len(katas), row.status, row.attempts]


def _defused(text: str) -> str:
    """A text that a spreadsheet takes as text, and that UTF-8 has bytes for."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return f"'{text}" if text.startswith(FORMULA) else text
