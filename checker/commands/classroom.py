"""What an instructor types: grade, pack."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checker import reports
from checker.commands.console import KATA, LEVELS, say, shown
from checker.errors import NOT_GRADED, PASSED
from checker.kata import catalog

if TYPE_CHECKING:
    from checker.classroom.collect.collect import Collected, Roster
    from checker.classroom.report.gradebook import Headings
    from checker.classroom.results import Batch
    from checker.classroom.run.journal import Journal
    from checker.classroom.run.portion import Text

FORMATS = click.Choice(list(reports.FORMATS))
HEADINGS = click.Choice(["plain", "canvas", "moodle", "gradescope"])


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("katas", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--out", default="graded", type=click.Path(path_type=Path),
              help="The folder to write to, and to go on from (graded).")  # fmt: skip
@click.option("--roster", "listed", type=click.Path(path_type=Path),
              help="A CSV of the class: names, and who is missing.")  # fmt: skip
@click.option("--gradebook", "headings", default="plain", type=HEADINGS, help="Its headings.")
@click.option("--format", "form", type=FORMATS, help="A platform's file a student, in reports/.")
@click.option("--seed", type=click.IntRange(0), help="Draw these inputs (fresh ones a folder).")
@click.option("--exam", is_flag=True, help="Feedback says which invariants broke, no numbers.")
@click.option("--isolation", default="strict", type=LEVELS, help="Demand it (strict).")
@click.option("--processes", type=click.IntRange(1), help="At a time (one a processor).")
@click.option("--cluster", "address", help="Let a distributed scheduler's workers grade.")
@click.option("--dry-run", is_flag=True, help="Only show what was recognised, and what was not.")
def grade(
    source: Path, katas: tuple[catalog.Kata, ...], out: Path, listed: Path | None,
    headings: "Headings", form: str | None, seed: int | None, exam: bool, isolation: str,
    processes: int | None, address: str | None, dry_run: bool,
) -> int:  # fmt: skip
    """Grade what a class has handed in: a folder or a zip, as the platform exports it.

    Writes gradebook.csv, class.html, a feedback page a student and verdicts.jsonl. Interrupted, it
    goes on where it stopped; what has not changed is not graded again.
    """
    roster, collected, wanted = _collected(source, listed, [kata.name for kata in katas])
    if dry_run or not collected.submissions:
        say(_recognised(collected, roster))
        if not dry_run:
            raise click.UsageError(f"nothing in {shown(source)} was recognised as a submission")
        return PASSED
    from checker.classroom.report.write import give_back
    from checker.classroom.run.grade import batch, left
    from checker.classroom.run.journal import Busy, opened

    def give(journal: "Journal") -> "Batch":
        results = batch(collected, journal, wanted, roster, exam=exam)
        give_back(results, out, headings, form)
        return results

    try:
        with opened(out, isolation, seed) as journal:
            texts = left(collected, journal)
            results = give(journal)  # what is known already, if anything is
            try:
                _grade(texts, journal, processes, address)
            finally:
                results = give(journal) if texts else results
    except (Busy, reports.Unset) as error:
        raise click.UsageError(str(error)) from None
    say(_summary(collected, results, len(texts)))
    say([f"next: open {shown(out / 'class.html')}"])
    statuses = {one.verdict["status"] for one in results.results}
    return NOT_GRADED if "not-graded" in statuses else PASSED


def _collected(
    source: Path, listed: Path | None, katas: list[str]
) -> "tuple[Roster | None, Collected, list[str]]":
    """The class, what it has handed in, and the katas that count: if none is named, those found."""
    from checker.classroom.collect import collect
    from checker.classroom.run.grade import only

    try:
        roster = collect.read_roster(listed) if listed else None
        collected = collect.collect(source, roster)
    except collect.Unusable as unusable:
        raise click.UsageError(str(unusable)) from None
    wanted = katas or sorted({one.kata for one in collected.submissions})
    return roster, only(collected, wanted), wanted


def _grade(
    texts: "list[Text]", journal: "Journal", processes: int | None, address: str | None
) -> None:
    """Grade the texts, and show how far it is."""
    from checker.classroom.run.grade import graded

    try:
        with click.progressbar(length=len(texts), label="grading", file=sys.stderr) as bar:
            for number in graded(texts, journal, processes, address):
                bar.update(number)
    except KeyboardInterrupt:
        click.echo("interrupted: the same command goes on where it stopped", err=True)
        raise


def _recognised(collected: "Collected", roster: "Roster | None") -> Iterator[str]:
    """What was found, a line a submission, and what was not taken, with the reason."""
    for one in collected.submissions:
        yield f"  {one.kata}  {one.student}  {one.name}"
    if collected.superseded:
        yield "passed over, since there is a newer one:"
        yield from (f"  {one.kata}  {one.student}  {one.name}" for one in collected.superseded)
    if collected.skipped:
        yield "not taken:"
        yield from (f"  {name}: {why}" for name, why in collected.skipped)
    students = {one.student for one in collected.submissions}
    if roster and (missing := roster.missing(students)):
        yield "of the roster, nothing came from:"
        yield from (f"  {student}  {roster.name(student)}" for student in missing)
    known = {person.student for person in roster.people} if roster else students
    if strangers := sorted(students - known):
        yield "not on the roster:"
        yield from (f"  {student}" for student in strangers)
    number = _count(len(collected.submissions), "submission")
    yield f"{number} of {_count(len(students), 'student')}"


def _summary(collected: "Collected", results: "Batch", graded: int) -> Iterator[str]:
    """What came of it, in figures."""
    number, students = len(collected.submissions), len({s.student for s in collected.submissions})
    passed = sum(one.passed for one in results.results)
    yield (
        f"{_count(number, 'submission')} of {_count(students, 'student')}: {passed} passed; "
        f"{graded} graded now (equal files once)"
    )
    yield from _strangers(results)
    if collected.superseded or collected.skipped:
        yield (
            f"{len(collected.superseded)} passed over for a newer one, {len(collected.skipped)} "
            "not taken: --dry-run shows which, and why"
        )
    stuck = [one for one in results.results if one.verdict["status"] == "not-graded"]
    yield from (f"not graded: {one.name}: {one.verdict['message']}" for one in stuck)


def _strangers(results: "Batch") -> Iterator[str]:
    """Who has handed something in, and is not on the roster."""
    known = results.names or set(results.students)
    if strangers := [student for student in results.students if student not in known]:
        yield f"not on the roster: {', '.join(strangers[:10])}{' ...' * (len(strangers) > 10)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--with-invariants", is_flag=True, help="Let students grade themselves.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier bundle of that name.")
def pack(
    folder: Path, names: tuple[catalog.Kata, ...], with_invariants: bool, overwrite: bool
) -> None:
    """Write what a class is given, without a solution: FOLDER, and a zip of it beside it.

    In it are the katas (all, if none is named) as they were shipped, and what runs their examples.
    """
    from checker.classroom.publish import pack as packing

    katas = [kata for kata in catalog.katas().values() if kata in names or not names]
    try:
        bundle = packing.bundle(katas, with_invariants=with_invariants)
        archive = packing.write(bundle, folder, overwrite=overwrite)
    except packing.Refused as refused:
        raise click.UsageError(str(refused)) from None
    except OSError as error:
        raise click.UsageError(f"{shown(folder)} cannot be written: {error.strerror}") from None
    number = f"{len(katas)} kata{'s' if len(katas) > 1 else ''}"
    say([f"{number} in {shown(folder)} and {shown(archive)}"])
    say([f"next: hand out {shown(archive)}"])
