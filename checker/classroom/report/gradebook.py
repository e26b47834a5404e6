"""The gradebook: a class as CSV, with the headings that each platform's import expects."""

import unicodedata
from collections.abc import Iterator
from csv import writer
from dataclasses import dataclass
from io import StringIO
from typing import Final, Literal

from checker.classroom.results import Results, Student
from checker.kata.verdict import MAX_SCORE

Headings = Literal["plain", "canvas", "moodle", "gradescope"]
CsvRow = list[str | int]

BLANKS: Final = ("\t", "\r")
FORMULA: Final = ("=", "+", "-", "@", "\N{MINUS SIGN}")  # a spreadsheet may compute these
GRADESCOPE: Final = {"missing": "Missing", "not-graded": "Ungraded"}


@dataclass(frozen=True)
class Grades:
    """One student's row in the gradebook."""

    student: str
    name: str  # empty if unknown
    points: CsvRow  # by kata; empty if nothing was handed in or it was not graded
    status: str
    attempts: int

    @property
    def total(self) -> int:
        """The points of all katas."""
        return sum(number for number in self.points if isinstance(number, int))

    @property
    def email(self) -> str:
        """The identifier, if it is an email address."""
        return self.student if "@" in self.student else ""

    @property
    def number(self) -> str:
        """The identifier, if it is not an email address."""
        return "" if self.email else self.student


def to_csv(results: Results, headings: Headings = "plain") -> str:
    """One row per student, in the order of the class; equal results give equal text.

    Lines end in CR LF, as RFC 4180 says.
    """
    layouts = {"plain": _plain, "canvas": _canvas, "moodle": _moodle, "gradescope": _gradescope}
    katas = [kata.name for kata in results.katas]
    text = StringIO()
    lines = writer(text, lineterminator="\r\n")
    for row in layouts[headings](katas, [_grades(katas, one) for one in results.students]):
        lines.writerow([_defused(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _grades(katas: list[str], student: Student) -> Grades:
    points: CsvRow = [
        student.results[kata].verdict["score"]
        if kata in student.results and student.results[kata].status != "not-graded"
        else ""
        for kata in katas
    ]
    return Grades(student.id, student.name, points, _status(katas, student), student.attempts)


def _status(katas: list[str], student: Student) -> str:
    """One status for all katas together."""
    if not student.results:
        return "missing"
    if any(one.status == "not-graded" for one in student.results.values()):
        return "not-graded"
    done = all(kata in student.results and student.results[kata].passed for kata in katas)
    return "pass" if done else "fail"


def _plain(katas: list[str], rows: list[Grades]) -> Iterator[CsvRow]:
    yield ["student", "name", *katas, "total", "maximum", "status", "attempts"]
    for row in rows:
        yield [row.student, row.name, *row.points, *_sums(katas, row)]


def _canvas(katas: list[str], rows: list[Grades]) -> Iterator[CsvRow]:
    """Canvas finds students by login, treats any column as an assignment, and adds up itself."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *katas]
    yield ["    Points Possible", "", "", "", "", *([MAX_SCORE] * len(katas))]
    for row in rows:
        yield [row.name or row.student, "", "", row.student, "", *row.points]


def _moodle(katas: list[str], rows: list[Grades]) -> Iterator[CsvRow]:
    sums = ["Total", "Maximum", "Status", "Attempts"]
    yield ["Full name", "ID number", "Email address", *katas, *sums]
    for row in rows:
        yield [row.name, row.number, row.email, *row.points, *_sums(katas, row)]


def _gradescope(katas: list[str], rows: list[Grades]) -> Iterator[CsvRow]:
    who = ["First Name", "Last Name", "SID", "Email"]
    sums = ["Total Score", "Max Points", "Status", "Submission Count"]
    yield [*who, *sums, *(f"{i}: {kata} ({MAX_SCORE}.0 pts)" for i, kata in enumerate(katas, 1))]
    for row in rows:
        first, _, last = row.name.rpartition(" ")
        names = [first or last, last if first else ""]
        total, maximum, status, attempts = _sums(katas, row)
        status = GRADESCOPE.get(str(status), "Graded")
        yield [*names, row.number, row.email, total, maximum, status, attempts, *row.points]


def _sums(katas: list[str], row: Grades) -> CsvRow:
    return [row.total, MAX_SCORE * len(katas), row.status, row.attempts]


def _defused(text: str) -> str:
    """Text that no spreadsheet takes for a formula, and that UTF-8 can encode.

    Some skip what is blank or invisible before a sign, and take a full-width sign for the usual
    one.
    """
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    seen = (one for one in unicodedata.normalize("NFKC", text) if _is_visible(one))
    return f"'{text}" if text.startswith(BLANKS) or next(seen, "") in FORMULA else text


def _is_visible(char: str) -> bool:
    return unicodedata.category(char)[0] not in "ZC"
