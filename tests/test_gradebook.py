"""The gradebook: the columns that each platform expects, and no cell that is a formula."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from checker.classroom.report.gradebook import to_csv
from checker.classroom.results import Result, Results, Student
from checker.kata import catalog

KATAS = [catalog.find("kata03"), catalog.find("kata04")]
WHEN = datetime(2026, 3, 2, 10, tzinfo=UTC)


def student(
    name: str, full_name: str, *results: tuple[str, str, int], attempts: int = 1
) -> Student:
    """A student with a status and points by kata, the first of them handed in several times."""
    made: dict[str, Result] = {}
    for kata, status, score in results:
        earlier: list[datetime | None] = [] if made else [None] * (attempts - 1)
        verdict = {"status": status, "score": score}
        made[kata] = Result(name, kata, "f.py", WHEN, earlier, verdict)
    return Student(name, full_name, made)


RESULTS = Results(
    KATAS,
    [
        student("ann@uni.test", "Ann Maria Äpfel", ("kata03", "pass", 100), ("kata04", "pass", 100),
                attempts=3),
        student("bob", "Bob", ("kata03", "fail", 37)),
        student("cleo", "", ("kata03", "pass", 100), ("kata04", "not-graded", 0)),
        student("dan", ""),
    ],
)  # fmt: skip


def rows(results: Results, headings: Any = "plain") -> list[list[str]]:
    return list(csv.reader(io.StringIO(to_csv(results, headings), newline="")))


def test_plain() -> None:
    assert rows(RESULTS) == [
        ["student", "name", "kata03", "kata04", "total", "maximum", "status", "attempts"],
        ["ann@uni.test", "Ann Maria Äpfel", "100", "100", "200", "200", "pass", "3"],
        ["bob", "Bob", "37", "", "37", "200", "fail", "1"],
        ["cleo", "", "100", "", "100", "200", "not-graded", "1"],
        ["dan", "", "", "", "0", "200", "missing", "0"],
    ]


def test_canvas_has_a_row_of_points_and_no_column_that_looks_like_an_assignment() -> None:
    assert rows(RESULTS, "canvas")[:3] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "kata03", "kata04"],
        ["    Points Possible", "", "", "", "", "100", "100"],
        ["Ann Maria Äpfel", "", "", "ann@uni.test", "", "100", "100"],
    ]
    assert rows(RESULTS, "canvas")[4][0] == "cleo"  # Canvas requires a name


def test_moodle() -> None:
    assert rows(RESULTS, "moodle")[:3] == [
        ["Full name", "ID number", "Email address", "kata03", "kata04",
         "Total", "Maximum", "Status", "Attempts"],
        ["Ann Maria Äpfel", "", "ann@uni.test", "100", "100", "200", "200", "pass", "3"],
        ["Bob", "bob", "", "37", "", "37", "200", "fail", "1"],
    ]  # fmt: skip


def test_gradescope() -> None:
    assert rows(RESULTS, "gradescope") == [
        ["First Name", "Last Name", "SID", "Email", "Total Score", "Max Points", "Status",
         "Submission Count", "1: kata03 (100.0 pts)", "2: kata04 (100.0 pts)"],
        ["Ann Maria", "Äpfel", "", "ann@uni.test", "200", "200", "Graded", "3", "100", "100"],
        ["Bob", "", "bob", "", "37", "200", "Graded", "1", "37", ""],
        ["", "", "cleo", "", "100", "200", "Ungraded", "1", "100", ""],
        ["", "", "dan", "", "0", "200", "Missing", "0", "", ""],
    ]  # fmt: skip


@pytest.mark.parametrize("headings", ["plain", "canvas", "moodle", "gradescope"])
@pytest.mark.parametrize(
    "first",
    [
        *"=+-@\t\r",
        " =",
        "\n=",
        "\u3000=",
        "\u200b=",
        "\ufeff@",
        *"\uff1d\uff0b\uff0d\uff20\ufe66\u2212",
        " \uff1d",
    ],
    ids=ascii,
)
def test_no_cell_is_a_formula(first: str, headings: str) -> None:
    evil = f"{first}HYPERLINK(1)"
    table = rows(Results(KATAS, [Student(evil, f"{evil} {evil}")]), headings)
    cells = [cell for cell in table[-1] if "HYPERLINK" in cell]
    assert cells
    assert all(cell.startswith("'") for cell in cells)


def test_quotes_commas_and_line_ends_are_quoted_as_in_rfc_4180() -> None:
    results = Results(KATAS[:1], [Student("a", 'Doe, "Al"\nor\r\nso')])
    assert to_csv(results).split("\r\n", 1)[1].startswith('a,"Doe, ""Al""\nor\r\nso",')
    assert rows(results)[1][1] == 'Doe, "Al"\nor\r\nso'


def test_names_that_utf_8_cannot_encode_are_escaped() -> None:
    text = to_csv(Results(KATAS, [Student("caf\udce9")]))
    assert b"caf\\udce9," in text.encode("utf-8")


def test_the_times_of_submissions_change_nothing() -> None:
    later = [
        replace(one, results={kata: replace(each, when=None) for kata, each in one.results.items()})
        for one in RESULTS.students
    ]
    assert to_csv(replace(RESULTS, students=later)) == to_csv(RESULTS)
