"""Grading a class: what was handed in, held against the journal, and the rest of it graded."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from checker.classroom.collect.collect import Collected, Roster, Submission
from checker.classroom.results import Batch, Graded
from checker.classroom.run import pool
from checker.classroom.run.journal import Journal
from checker.classroom.run.portion import Json, Portion, Text
from checker.kata import catalog
from checker.kata.verdict import Verdict

PORTION: Final = 6  # texts that are graded together, by the same process


def only(collected: Collected, katas: list[str]) -> Collected:
    """What was found of these katas."""
    submissions, superseded = (
        [one for one in some if one.kata in katas]
        for some in (collected.submissions, collected.superseded)
    )
    return Collected(submissions, superseded, collected.skipped)


def left(collected: Collected, journal: Journal) -> list[Text]:
    """The texts that the journal has no record of, each once, however many have handed it in.

    They stand by kata: what is to be known of a kata is made once, for many of them.
    """
    texts = {
        (one.kata, one.sha256): Text(one.kata, one.sha256, one.data)
        for one in collected.submissions
        if (one.kata, one.sha256) not in journal.records
    }
    return sorted(texts.values(), key=lambda text: text.kata)


def graded(
    texts: list[Text], journal: Journal, processes: int | None, address: str | None
) -> Iterator[int]:
    """Grade the texts and keep each record at once; how many more are done, as they are."""
    terms = journal.terms
    portions = [
        Portion(texts[i : i + PORTION], terms.seed, terms.isolation)
        for i in range(0, len(texts), PORTION)
    ]
    done = pool.cluster(portions, address) if address else pool.here(portions, processes)
    for records in done:
        for record in records:
            journal.add(record)
        yield len(records)


def batch(
    collected: Collected, journal: Journal, katas: list[str], roster: Roster | None, *, exam: bool
) -> Batch:
    """All results so far."""
    earlier: dict[tuple[str, str], list[str | None]] = {}
    for one in collected.superseded:
        earlier.setdefault((one.student, one.kata), []).append(one.when)
    results = [
        _result(
            one,
            journal.records.get((one.kata, one.sha256)) or _not_yet(one.kata),
            earlier.get((one.student, one.kata), []),
        )
        for one in collected.submissions
    ]
    students = {one.student for one in collected.submissions}
    names = {person.student: person.name for person in roster.people} if roster else {}
    return Batch(
        katas=katas,
        students=sorted(students | names.keys()),
        results=results,
        names=names,
        seed=journal.terms.seed,
        skipped=collected.skipped,
        exam=exam,
    )


def _result(one: Submission, record: Json, earlier: list[str | None]) -> Graded:
    verdict = {**record["verdict"], "file": one.name}
    return Graded(one.student, one.kata, one.name, one.when, earlier, verdict, record["diagnosis"])


def _not_yet(kata: str) -> Json:
    """What stands in for the record of a text while it has none."""
    found = catalog.find(kata)
    verdict = Verdict(found.name, found.title, "", None, "not-graded", reason="sandbox")
    verdict.message = "not graded yet: the same command goes on where it stopped"
    return {"verdict": verdict.to_json(), "diagnosis": None}


def write(file: Path, text: str) -> None:
    """Write all of a file or nothing, and nothing where it holds that text already."""
    data = text.encode("utf-8", "backslashreplace")
    with suppress(OSError):
        if file.read_bytes() == data:
            return
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".new-")
    try:
        with open(descriptor, "wb") as new:
            new.write(data)
        os.chmod(name, 0o644)
        os.replace(name, file)
    except BaseException:
        os.remove(name)
        raise
