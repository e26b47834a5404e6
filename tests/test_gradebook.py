"""The gradebook: the columns that a platform looks for, and cells that compute nothing."""

import csv as reader
import io
from dataclasses import replace
from typing import Any

import pytest

from checker.classroom.report.gradebook import csv
from checker.classroom.results import Batch, Graded

KATAS = ["kata03", "kata04"]


def graded(student: str, kata: str, status: str, score: int = 0, attempts: int = 1) -> Graded:
    times: list[str | None] = [None] * (attempts - 1)
    return Graded(student, kata, "f.py", "2026-03-02T10:00:00Z", times,
                  {"status": status, "score": score})  # fmt: skip


BATCH = Batch(
    KATAS,
    ["ann@uni.test", "bob", "cleo", "dan"],
    [
        graded("ann@uni.test", "kata03", "pass", 100, attempts=3),
        graded("ann@uni.test", "kata04", "pass", 100),
        graded("bob", "kata03", "fail", 37),
        graded("cleo", "kata03", "pass", 100),
        graded("cleo", "kata04", "not-graded"),
    ],
    {"ann@uni.test": "Ann Maria Äpfel", "bob": "Bob"},
)


def rows(batch: Batch, headings: Any = "plain") -> list[list[str]]:
    return list(reader.reader(io.StringIO(csv(batch, headings), newline="")))


def test_plain() -> None:
    assert rows(BATCH) == [
        ["student", "name", "kata03", "kata04", "total", "maximum", "status", "attempts"],
        ["ann@uni.test", "Ann Maria Äpfel", "100", "100", "200", "200", "pass", "3"],
        ["bob", "Bob", "37", "", "37", "200", "fail", "1"],
        ["cleo", "", "100", "", "100", "200", "not-graded", "1"],
        ["dan", "", "", "", "0", "200", "missing", "0"],
    ]


def test_canvas_has_a_row_of_points_and_nothing_that_it_would_take_for_an_assignment() -> None:
    assert rows(BATCH, "canvas")[:3] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "kata03", "kata04"],
        ["    Points Possible", "", "", "", "", "100", "100"],
        ["Ann Maria Äpfel", "", "", "ann@uni.test", "", "100", "100"],
    ]
    assert rows(BATCH, "canvas")[4][0] == "cleo"  # some name has to stand there


def test_moodle() -> None:
    assert rows(BATCH, "moodle")[:3] == [
        ["Full name", "ID number", "Email address", "kata03", "kata04",
         "Total", "Maximum", "Status", "Attempts"],
        ["Ann Maria Äpfel", "", "ann@uni.test", "100", "100", "200", "200", "pass", "3"],
        ["Bob", "bob", "", "37", "", "37", "200", "fail", "1"],
    ]  # fmt: skip


def test_gradescope() -> None:
    assert rows(BATCH, "gradescope") == [
        ["First Name", "Last Name", "SID", "Email", "Total Score", "Max Points", "Status",
         "Submission Count", "1: kata03 (100.0 pts)", "2: kata04 (100.0 pts)"],
        ["Ann Maria", "Äpfel", "", "ann@uni.test", "200", "200", "Graded", "3", "100", "100"],
        ["Bob", "", "bob", "", "37", "200", "Graded", "1", "37", ""],
        ["", "", "cleo", "", "100", "200", "Ungraded", "1", "100", ""],
        ["", "", "dan", "", "0", "200", "Missing", "0", "", ""],
    ]  # fmt: skip


@pytest.mark.parametrize("headings", ["plain", "canvas", "moodle", "gradescope"])
@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(first: str, headings: str) -> None:
    evil = f"{first}HYPERLINK(1)"
    table = rows(Batch(KATAS, [evil], [], {evil: f"{evil} {evil}"}), headings)
    cells = [cell for cell in table[-1] if "HYPERLINK" in cell]
    assert cells
    assert all(cell.startswith(f"'{first}") for cell in cells)


def test_quotes_commas_and_line_ends_are_quoted_as_rfc_4180_has_it() -> None:
    batch = Batch(["kata03"], ["a"], [], {"a": 'Doe, "Al"\nor\r\nso'})
    assert csv(batch).split("\r\n", 1)[1].startswith('a,"Doe, ""Al""\nor\r\nso",')
    assert rows(batch)[1][1] == 'Doe, "Al"\nor\r\nso'


def test_names_that_are_no_text_can_be_written() -> None:
    text = csv(Batch(KATAS, ["caf\udce9"], []))
    assert b"caf\\udce9," in text.encode("utf-8")


def test_the_times_of_submissions_change_nothing() -> None:
    later = [replace(one, when="2027-01-01T00:00:00Z") for one in BATCH.results]
    assert csv(replace(BATCH, results=later[::-1])) == csv(BATCH)
