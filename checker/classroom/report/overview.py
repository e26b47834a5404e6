"""The figures of a class: who has what, what broke, what it is like, when, and who is missing."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from urllib.parse import quote

from checker.classroom.collect.names import safe_name
from checker.classroom.report.format import NAME, cut, minute, moment, times, who
from checker.classroom.results import Batch, Graded, Json
from checker.kata import catalog
from checker.kata.verdict import MAX_SCORE
from checker.plain import plain

BROKEN: Final = ("broken", "error", "timeout")
RANKS: Final = {"missing": -2, "not-graded": -1}  # where they stand among points
SKIPPED: Final = 500  # files that are named of those that were not taken
STRIP: Final = 300  # the width of a time line

Work = dict[str, dict[str, Graded]]  # by student and kata


def figures(batch: Batch) -> Json:
    """All that the page of a class says."""
    work: Work = {student: {} for student in batch.students}
    for one in batch.results:
        work[one.student][one.kata] = one
    answers = {kata: [each[kata] for each in work.values() if kata in each] for kata in batch.katas}
    rows = [_row(batch, student, work[student]) for student in batch.students]
    return {
        "batch": batch,
        "maximum": MAX_SCORE * len(batch.katas),
        "rows": rows,
        "katas": [_kata(kata, each, len(work)) for kata, each in answers.items()],
        "broken": [one for kata, each in answers.items() for one in _broken(kata, each)],
        "alike": [one for kata, each in answers.items() for one in _alike(batch, kata, each)],
        "unjudged": list(_unjudged(batch)),
        "skipped": [(cut(what), cut(why, 2 * NAME)) for what, why in batch.skipped[:SKIPPED]],
        "more_skipped": max(0, len(batch.skipped) - SKIPPED),
        **_strips(batch, work),
    }


def _row(batch: Batch, student: str, work: dict[str, Graded]) -> Json:
    """A student's row in the table of points, and what it is sorted by."""
    cells = [
        (work[kata].verdict["status"], work[kata].verdict["score"]) if kata in work
        else ("missing", 0)
        for kata in batch.katas
    ]  # fmt: skip
    name, total = who(batch, student), sum(points for _, points in cells)
    passed = sum(status == "pass" for status, _ in cells)
    return {
        "who": name,
        "page": f"feedback/{quote(safe_name(student))}.html",
        "cells": cells,
        "total": total,
        "passed": passed,
        "handed_in": len(work),
        "absent": [kata for kata in batch.katas if kata not in work],
        "keys": [name, total, passed, *(RANKS.get(status, points) for status, points in cells)],
    }


def _kata(name: str, answers: list[Graded], students: int) -> Json:
    """How the class fared with one kata."""
    verdicts = [one.verdict for one in answers]
    scores = [one["score"] for one in verdicts if one["status"] != "not-graded"]
    counts = Counter(one["status"] for one in verdicts)
    counts["missing"] = students - len(verdicts)
    return {
        "kata": name,
        "title": catalog.find(name).title,
        "counts": counts,
        "mean": f"{sum(scores) / len(scores):.0f}" if scores else "-",
    }


def _broken(kata: str, answers: list[Graded]) -> Iterator[Json]:
    """The invariants of a kata that any answer broke, those that most did first."""
    statements: dict[str, str] = {}
    asked: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for check in (check for one in answers for check in one.verdict["checks"]):
        statements.setdefault(check["name"], check["statement"])
        asked[check["name"]] += check["status"] != "skipped"
        broken[check["name"]] += check["status"] in BROKEN
    for name, count in broken.most_common():
        if count:
            said = {"statement": statements[name], "count": count, "asked": asked[name]}
            yield {"kata": kata, **said, "share": round(100 * count / asked[name])}


def _alike(batch: Batch, kata: str, answers: list[Graded]) -> Iterator[Json]:
    """What the wrong answers to a kata behave like, the most frequent first."""
    those: dict[str, list[str]] = {}
    for one in answers:
        if one.diagnosis and not one.passed:
            those.setdefault(one.diagnosis, []).append(who(batch, one.student))
    for line, students in sorted(those.items(), key=lambda item: -len(item[1])):
        yield {"kata": kata, "line": plain(line), "students": students}


def _unjudged(batch: Batch) -> Iterator[Json]:
    """The files that could not be run, or were not graded, and why."""
    for one in batch.results:
        if one.verdict["status"] in ("error", "not-graded"):
            why = one.verdict["message"] or one.verdict["reason"] or ""
            yield {
                "who": who(batch, one.student),
                "kata": one.kata,
                "status": one.verdict["status"],
                "found": cut(one.name),
                "why": cut(why, 2 * NAME),
            }


def _strips(batch: Batch, work: Work) -> Json:
    """When each student handed in what, between the first and the last time of the class."""
    moves = {student: list(_moves(work[student])) for student in batch.students}
    known = [at for of_one in moves.values() for at, _ in of_one]
    if not known:
        return {"strips": [], "span": ()}
    span = min(known), max(known)
    strips = [
        {
            "who": who(batch, student),
            "marks": _marks(moves[student], *span),
            "count": max((1 + len(one.earlier) for one in work[student].values()), default=0),
            "first": minute(min(at for at, _ in moves[student])) if moves[student] else "-",
            "last": minute(max(at for at, _ in moves[student])) if moves[student] else "-",
            "times": [
                (kata, times([*one.earlier, one.when])) for kata, one in work[student].items()
            ],
        }
        for student in batch.students
    ]
    return {"strips": strips, "span": tuple(map(minute, span))}


def _moves(work: dict[str, Graded]) -> Iterator[tuple[datetime, str]]:
    """The known times of a student's submissions: those before the last, and what came of that."""
    for one in work.values():
        kinds = ["earlier"] * len(one.earlier) + ["pass" if one.passed else "fail"]
        for when, kind in zip([*one.earlier, one.when], kinds, strict=True):
            if at := moment(when):
                yield at, kind


def _marks(moves: list[tuple[datetime, str]], first: datetime, last: datetime) -> Json:
    """Where on a strip each kind of submission stands."""
    marks: dict[str, list[int]] = {"earlier": [], "pass": [], "fail": []}
    for at, kind in moves:
        share = (at - first) / (last - first) if last > first else 0
        marks[kind].append(round(STRIP * share))
    return {kind: sorted(set(places)) for kind, places in marks.items()}
