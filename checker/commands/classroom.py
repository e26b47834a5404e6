"""What an instructor types: grade, pack."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from checker import reports
from checker.commands.console import KATA, LEVELS, say, shown, warn
from checker.errors import NOT_GRADED, PASSED, NotGraded
from checker.kata import catalog
from checker.kata.verdict import LEFT_OUT

if TYPE_CHECKING:
    from checker.classroom.collect.roster import Roster
    from checker.classroom.collect.submission import Collected, Submission
    from checker.classroom.report.gradebook import Headings
    from checker.classroom.results import Result, Results
    from checker.classroom.run.journal import Journal

FORMATS = click.Choice(list(reports.FORMATS))
HEADINGS = click.Choice(["plain", "canvas", "moodle", "gradescope"])
NAMED = 10  # students who are not on the roster, named after grading


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("katas", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--out", default="graded", type=click.Path(path_type=Path),
              help="Write to this folder (default: graded).")  # fmt: skip
@click.option("--roster", "listed", type=click.Path(path_type=Path),
              help="A CSV class list, for names and missing students.")  # fmt: skip
@click.option("--gradebook", "headings", default="plain", type=HEADINGS,
              help="Column headings of gradebook.csv.")  # fmt: skip
@click.option("--format", "form", type=FORMATS,
              help="Also write one file per student in this format, in reports/.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0),
              help="Seed of the test inputs (default: random, kept with the folder).")  # fmt: skip
@click.option("--exam", is_flag=True, help="Feedback says which invariants broke, no numbers.")
@click.option("--isolation", default="strict", type=LEVELS,
              help="Require a level of isolation (default: strict).")  # fmt: skip
@click.option("--processes", type=click.IntRange(1),
              help="How many files to grade in parallel (default: one per CPU).")  # fmt: skip
@click.option("--cluster", "address", help="Grade on the workers of this distributed scheduler.")
@click.option("--dry-run", is_flag=True, help="Only show which files would be graded.")
def grade(
    source: Path, katas: tuple[catalog.Kata, ...], out: Path, listed: Path | None,
    headings: "Headings", form: str | None, seed: int | None, exam: bool, isolation: str,
    processes: int | None, address: str | None, dry_run: bool,
) -> int:  # fmt: skip
    """Grade what a class handed in.

    SOURCE is a folder or a zip, as exported from the platform. Writes gradebook.csv, class.html,
    verdicts.jsonl and one feedback page per student. An interrupted run continues where it stopped;
    unchanged files are not graded again.
    """
    roster, collected = _collect(source, listed, katas)
    if dry_run or not collected.submissions:
        say(_recognised(collected, roster))
        return PASSED if dry_run else _nothing(source, collected)
    from checker.classroom.report.write import write_report
    from checker.classroom.run.grade import build_results, ungraded
    from checker.classroom.run.journal import open_journal

    found = {one.kata for one in collected.submissions}
    found |= {one.kata for one in collected.left_out if one.kata}
    wanted = list(katas) or [kata for kata in catalog.katas().values() if kata.name in found]

    def report() -> "Results":
        results = build_results(collected, journal, wanted, roster, exam=exam)
        write_report(results, out, headings, form)
        return results

    with open_journal(out, isolation, seed) as journal:
        submissions = ungraded(collected, journal)
        results = report()  # what is known from earlier runs, and every error but grading
        try:
            _grade(submissions, journal, processes, address)
        finally:
            results = report() if submissions else results
    say(_summary(collected, results, roster, len(submissions)))
    say([f"next: open {shown(out / 'class.html')}"])
    return NOT_GRADED if any(one.status == "not-graded" for one in results) else PASSED


def _nothing(source: Path, collected: "Collected") -> NoReturn:
    """Raise `NotGraded` if there are submissions that cannot be read, else a usage error."""
    if collected.left_out:
        raise NotGraded(f"no submission in {shown(source)} could be read: see above")
    raise click.UsageError(f"no submissions found in {shown(source)}")


def _collect(
    source: Path, listed: Path | None, katas: tuple[catalog.Kata, ...]
) -> "tuple[Roster | None, Collected]":
    """The class list, and what was handed in for these katas (all, if none is named)."""
    from checker.classroom.collect.collector import collect
    from checker.classroom.collect.roster import read_roster
    from checker.classroom.run.grade import select

    roster = read_roster(listed) if listed else None
    collected = collect(source, roster)
    return roster, select(collected, [kata.name for kata in katas]) if katas else collected


def _grade(
    submissions: "list[Submission]",
    journal: "Journal",
    processes: int | None,
    address: str | None,
) -> None:
    """Grade the submissions and show the progress."""
    from checker.classroom.run.grade import grade_into

    try:
        with click.progressbar(length=len(submissions), label="grading", file=sys.stderr) as bar:
            for number in grade_into(journal, submissions, processes, address):
                bar.update(number)
    except KeyboardInterrupt:
        warn("interrupted: run the same command again to continue")
        raise


def _recognised(collected: "Collected", roster: "Roster | None") -> Iterator[str]:
    """What was found, one line per submission, and what was skipped, with the reason."""
    yield from _section("submissions:", _submissions(collected.submissions))
    yield from _section("superseded by a newer file:", _submissions(collected.superseded))
    yield from _section("skipped:", (f"{path}: {why}" for path, why in collected.skipped))
    left_out = (
        f"{one.student}  {one.kata or 'any kata'}  {one.name}: {one.reason}"
        for one in collected.left_out
    )
    yield from _section("could not be read, so not graded instead of missing:", left_out)
    students = {one.student for one in collected.submissions}
    students |= {one.student for one in collected.left_out}
    if roster:
        missing = (f"{student}  {roster.name(student)}" for student in roster.missing(students))
        yield from _section("on the roster, but nothing handed in:", missing)
        yield from _section("not on the roster:", roster.unlisted(students))
    yield _counts(collected)


def _submissions(submissions: "Iterable[Submission]") -> Iterator[str]:
    return (f"{one.kata}  {one.student}  {one.name}" for one in submissions)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines under a title, or nothing if there are none."""
    if found := [f"  {line}" for line in lines]:
        yield from [title, *found]


def _summary(
    collected: "Collected", results: "Results", roster: "Roster | None", graded: int
) -> Iterator[str]:
    """The results in figures."""
    passed = sum(one.passed for one in results)
    yield f"{_counts(collected)}: {passed} passed; {graded} graded now (identical files only once)"
    if roster and (others := roster.unlisted(one.student for one in collected.submissions)):
        more = " ..." if len(others) > NAMED else ""
        yield f"not on the roster: {', '.join(others[:NAMED])}{more}"
    superseded, skipped = len(collected.superseded), len(collected.skipped)
    if superseded or skipped:
        yield f"{superseded} superseded by a newer file, {skipped} skipped: --dry-run lists them"
    yield from dict.fromkeys(_not_graded(one) for one in results if one.status == "not-graded")


def _not_graded(one: "Result") -> str:
    if one.verdict["reason"] == LEFT_OUT:
        return f"not graded: {one.student}: {one.verdict['message']}"
    return f"not graded: {one.name}: {one.verdict['message']}"


def _counts(collected: "Collected") -> str:
    students = {one.student for one in collected.submissions}
    number = _plural(len(collected.submissions), "submission")
    return f"{number} from {_plural(len(students), 'student')}"


def _plural(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--with-invariants", is_flag=True, help="Include the tests: students can grade.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier bundle of that name.")
def pack(
    folder: Path, names: tuple[catalog.Kata, ...], with_invariants: bool, overwrite: bool
) -> None:
    """Write a bundle for students, without solutions.

    It is written to FOLDER and to a zip next to it, and contains the katas as shipped (all, if none
    is named) and what runs their examples.
    """
    from checker.classroom.publish.pack import bundle, write_bundle

    katas = [kata for kata in catalog.katas().values() if kata in names or not names]
    files = bundle(katas, with_invariants=with_invariants)
    archive = write_bundle(files, folder, overwrite=overwrite)
    say([f"{_plural(len(katas), 'kata')} in {shown(folder)} and {shown(archive)}"])
    say([f"next: hand out {shown(archive)}"])
