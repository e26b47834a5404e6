"""The feedback for one student: for each kata what holds, what does not, and what to do next."""

from collections.abc import Iterator
from typing import Final

from checker.classroom.collect.names import cut
from checker.classroom.report.format import times
from checker.classroom.results import Result, Results, Student
from checker.kata.catalog import Kata
from checker.kata.verdict import LEFT_OUT, MAX_SCORE, Json, broken, for_exam
from checker.plain import lines

HINTED: Final = ("fail", "error", "missing")

ADVICE: Final = {
    "syntax-error": "Run the file with Python, which names the line: check it and the one before.",
    "import-error": "Import only numpy and the standard library; do not read input, open files or "
    "plot outside the functions.",
    "missing-name": "The docstring says what the file must define: restore whatever was renamed, "
    "indented or deleted.",
    "time-limit": "Look for a loop that never ends, or for nested loops over every number.",
    "memory-limit": "Look for an array or a list that grows much larger than the inputs.",
    "exited": "Remove whatever ends Python: `exit()`, `quit()`, `sys.exit()`.",
    "crashed": "Remove whatever bypasses Python, such as `ctypes`: numpy is enough.",
    "too-large": "Hand in only the kata, without data in it.",
    "left-out": "A part of what you handed in could not be read: hand in the kata's file alone.",
    "unreadable": "Save the file as UTF-8 text, check that it opens, and hand it in again.",
}
NOT_GRADED: Final = "This is not about your file: ask your instructor to grade it again."


def feedback(results: Results, student: Student) -> Json:
    """Everything on a student's page; nothing about other students, and no names of bugs."""
    parts = [_part(results, kata, student.results.get(kata.name)) for kata in results.katas]
    return {
        "student": student.display,
        "parts": parts,
        "passed": sum(part["status"] == "pass" for part in parts),
        "points": sum(part["points"] for part in parts),
        "maximum": MAX_SCORE * len(parts),
    }


def _part(results: Results, kata: Kata, result: Result | None) -> Json:
    verdict = result.verdict if result else {}
    if results.exam and verdict:
        verdict = for_exam(verdict)
    status, printed = verdict.get("status", "missing"), verdict.get("stdout", "").rstrip()
    return {
        "kata": kata.name,
        "title": kata.title,
        "status": status,
        "points": verdict.get("score", 0),
        "checks": list(_checks(verdict.get("checks", []))),
        "printed": list(lines(printed)) if printed else [],
        "path": cut(result.name) if result else "",
        "when": times([result.when]) if result else "",
        "earlier": times(result.earlier) if result else "",
        "error": list(_error(verdict))
        if status == "error" or verdict.get("reason") == LEFT_OUT
        else [],
        "advice": _advice(status, verdict.get("reason")),
        "hint": _hint(kata, verdict) if status in HINTED and not results.exam else "",
    }


def _hint(kata: Kata, verdict: Json) -> str:
    """The first hint that serves what is broken, or just the first."""
    number = kata.next_hint(0, broken(verdict.get("checks", [])))
    number = number if number <= len(kata.hints) else 1
    return f"{number}: {kata.hints[number - 1]}"


def _checks(checks: list[Json]) -> Iterator[Json]:
    """The statements; nothing if no invariant was run."""
    if all(check["status"] == "skipped" for check in checks):
        return
    said = ""
    for check in checks:
        message = check["message"] or ""
        text = "the same as above" if message == said else message
        yield {**check, "lines": list(lines(text)) if message else []}
        said = message or said


def _error(verdict: Json) -> Iterator[str]:
    """The message, and the line of code that it points at."""
    for text in [verdict["message"] or "", *verdict["excerpt"]]:
        yield from lines(text)


def _advice(status: str, reason: str | None) -> str:
    return ADVICE.get(reason or "", NOT_GRADED if status == "not-graded" else "")
