"""The overview of a class: points, broken invariants, diagnoses, times, and what is missing."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from urllib.parse import quote

from checker.classroom.collect.names import NAME, cut
from checker.classroom.report.format import minute, times
from checker.classroom.results import Result, Results, Student
from checker.kata.catalog import Kata
from checker.kata.verdict import MAX_SCORE, Json
from checker.plain import plain

BROKEN: Final = ("broken", "error", "timeout")
RANKS: Final = {"missing": -2, "not-graded": -1}  # where they sort among points
SKIPPED: Final = 500  # skipped files that are listed
STRIP: Final = 300  # the width of a timeline


def class_overview(results: Results) -> Json:
    """Everything on the page of a class."""
    students = results.students
    by_kata = [
        (kata, [one.results[kata.name] for one in students if kata.name in one.results])
        for kata in results.katas
    ]
    names = {student.id: student.display for student in students}
    return {
        "seed": results.seed,
        "exam": results.exam,
        "maximum": MAX_SCORE * len(results.katas),
        "rows": [_row(results.katas, student) for student in students],
        "katas": [_kata(kata, some, len(students)) for kata, some in by_kata],
        "broken": [one for kata, some in by_kata for one in _broken(kata, some)],
        "diagnoses": [one for kata, some in by_kata for one in _diagnoses(kata, some, names)],
        "unjudged": list(_unjudged(results, names)),
        "skipped": [(cut(path), cut(why, 2 * NAME)) for path, why in results.skipped[:SKIPPED]],
        "more_skipped": max(0, len(results.skipped) - SKIPPED),
        **_timelines(students),
    }


def _row(katas: list[Kata], student: Student) -> Json:
    """A student's row in the table of points, and the keys to sort by."""
    cells = [_cell(student.results.get(kata.name)) for kata in katas]
    total = sum(points for _, points in cells)
    passed = sum(status == "pass" for status, _ in cells)
    ranks = [RANKS.get(status, points) for status, points in cells]
    return {
        "student": student.display,
        "page": f"feedback/{quote(student.file)}.html",
        "cells": cells,
        "total": total,
        "passed": passed,
        "handed_in": len(student.results),
        "absent": [kata.name for kata in katas if kata.name not in student.results],
        "keys": [student.display, total, passed, *ranks],
    }


def _cell(result: Result | None) -> tuple[str, int]:
    return (result.status, result.verdict["score"]) if result else ("missing", 0)


def _kata(kata: Kata, results: list[Result], students: int) -> Json:
    """How the class did on one kata."""
    scores = [one.verdict["score"] for one in results if one.status != "not-graded"]
    counts = Counter(one.status for one in results)
    counts["missing"] = students - len(results)
    return {
        "kata": kata.name,
        "title": kata.title,
        "counts": counts,
        "mean": f"{sum(scores) / len(scores):.0f}" if scores else "-",
    }


def _broken(kata: Kata, results: list[Result]) -> Iterator[Json]:
    """The invariants of a kata that anyone broke, the most broken first."""
    statements: dict[str, str] = {}
    run: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for check in (check for one in results for check in one.verdict["checks"]):
        statements.setdefault(check["name"], check["statement"])
        run[check["name"]] += check["status"] != "skipped"
        broken[check["name"]] += check["status"] in BROKEN
    for name, count in broken.most_common():
        if count:
            yield {
                "kata": kata.name,
                "statement": statements[name],
                "count": count,
                "run": run[name],
                "share": round(100 * count / run[name]),
            }


def _diagnoses(kata: Kata, results: list[Result], names: dict[str, str]) -> Iterator[Json]:
    """The known bugs that wrong files behave like, the most frequent first."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in results:
        if one.diagnosis and not one.passed:
            found[one.diagnosis].append(names[one.student])
    for line, students in sorted(found.items(), key=lambda item: -len(item[1])):
        yield {"kata": kata.name, "line": plain(line), "students": students}


def _unjudged(results: Results, names: dict[str, str]) -> Iterator[Json]:
    """The files that could not be run, or were not graded, and why."""
    for one in results:
        if one.status in ("error", "not-graded"):
            why = one.verdict["message"] or one.verdict["reason"] or ""
            yield {
                "student": names[one.student],
                "kata": one.kata,
                "status": one.status,
                "path": cut(one.name),
                "why": cut(why, 2 * NAME),
            }


def _timelines(students: list[Student]) -> Json:
    """When each student handed in what, on a scale from the first to the last time of the class."""
    events = {student.id: list(_events(student)) for student in students}
    known = [at for some in events.values() for at, _ in some]
    if not known:
        return {"timelines": [], "span": ()}
    first, last = min(known), max(known)
    timelines = [_timeline(student, events[student.id], first, last) for student in students]
    return {"timelines": timelines, "span": (minute(first), minute(last))}


def _events(student: Student) -> Iterator[tuple[datetime, str]]:
    """The known times of a student's submissions, and what became of each."""
    for one in student.results.values():
        kinds = ["earlier"] * len(one.earlier) + ["pass" if one.passed else "fail"]
        for when, kind in zip([*one.earlier, one.when], kinds, strict=True):
            if when:
                yield when, kind


def _timeline(
    student: Student, events: list[tuple[datetime, str]], first: datetime, last: datetime
) -> Json:
    moments = [at for at, _ in events]
    return {
        "student": student.display,
        "marks": _marks(events, first, last),
        "count": student.attempts,
        "first": minute(min(moments)) if moments else "-",
        "last": minute(max(moments)) if moments else "-",
        "times": [(kata, times([*one.earlier, one.when])) for kata, one in student.results.items()],
    }


def _marks(events: list[tuple[datetime, str]], first: datetime, last: datetime) -> Json:
    """Where each kind of submission stands on a timeline."""
    marks: dict[str, set[int]] = {"earlier": set(), "pass": set(), "fail": set()}
    for at, kind in events:
        share = (at - first) / (last - first) if last > first else 0
        marks[kind].add(round(STRIP * share))
    return {kind: sorted(places) for kind, places in marks.items()}
