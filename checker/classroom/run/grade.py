"""Grade a class: submissions with a verdict in the journal are not graded again."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from checker.classroom.collect.roster import Roster
from checker.classroom.collect.submission import Collected, LeftOut, Submission
from checker.classroom.results import Result, Results, Student
from checker.classroom.run import pool
from checker.classroom.run.journal import Journal
from checker.classroom.run.portion import Portion
from checker.kata import catalog
from checker.kata.verdict import LEFT_OUT, Json, Verdict

PORTION: Final = 6  # submissions graded by the same process


def select(collected: Collected, katas: list[str]) -> Collected:
    """What was handed in for these katas."""
    submissions, superseded = (
        [one for one in some if one.kata in katas]
        for some in (collected.submissions, collected.superseded)
    )
    left_out = [one for one in collected.left_out if one.kata in (None, *katas)]
    return Collected(submissions, superseded, collected.skipped, left_out)


def ungraded(collected: Collected, journal: Journal) -> list[Submission]:
    """One submission of each content that the journal has no record of.

    They are sorted by kata, so that what a kata needs is prepared once for many of them.
    """
    unique = {one.key: one for one in collected.submissions if one.key not in journal.records}
    return sorted(unique.values(), key=lambda one: one.kata)


def grade_into(
    journal: Journal, submissions: list[Submission], processes: int | None, address: str | None
) -> Iterator[int]:
    """Grade the submissions and record each verdict at once; yield how many more are done."""
    terms = journal.terms
    portions = [
        Portion(submissions[i : i + PORTION], terms.seed, terms.isolation)
        for i in range(0, len(submissions), PORTION)
    ]
    done = pool.on_cluster(portions, address) if address else pool.local(portions, processes)
    for records in done:
        for record in records:
            journal.add(record)
        yield len(records)


def build_results(
    collected: Collected,
    journal: Journal,
    katas: list[catalog.Kata],
    roster: Roster | None,
    *,
    exam: bool,
) -> Results:
    """All results so far, of everyone who handed in something or is on the roster."""
    earlier: dict[tuple[str, str], list[datetime | None]] = defaultdict(list)
    for one in reversed(collected.superseded):
        earlier[one.student, one.kata].append(one.when)
    by_student: dict[str, dict[str, Result]] = defaultdict(dict)
    for one in collected.submissions:
        record = journal.records.get(one.key) or _not_graded_yet(one.kata)
        by_student[one.student][one.kata] = _result(one, record, earlier[one.student, one.kata])
    for lost in collected.left_out:
        for kata in katas:
            if lost.kata in (None, kata.name):
                by_student[lost.student].setdefault(kata.name, _not_read(lost, kata))
    names = {person.student: person.name for person in roster.people} if roster else {}
    students = [
        Student(student, names.get(student, ""), by_student[student])
        for student in sorted(by_student.keys() | names.keys())
    ]
    return Results(katas, students, journal.terms.seed, collected.skipped, exam)


def _result(one: Submission, record: Json, earlier: list[datetime | None]) -> Result:
    verdict = {**record["verdict"], "file": one.name}
    return Result(one.student, one.kata, one.name, one.when, earlier, verdict, record["diagnosis"])


def _not_read(lost: LeftOut, kata: catalog.Kata) -> Result:
    """The result of a kata that may be in what was left out: it is not missing."""
    verdict = Verdict(kata.name, kata.title, lost.name, None, "not-graded", reason=LEFT_OUT)
    verdict.message = f"{lost.name}: {lost.reason}"
    return Result(lost.student, kata.name, lost.name, None, [], verdict.to_json())


def _not_graded_yet(kata: str) -> Json:
    """A record for a submission that has none yet."""
    title = catalog.find(kata).title
    message = "not graded yet: run the same command again to continue"
    verdict = Verdict(kata, title, "", None, "not-graded", reason="sandbox", message=message)
    return {"verdict": verdict.to_json(), "diagnosis": None}
