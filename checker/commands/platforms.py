"""What an instructor types: export. And what a platform runs: autograde."""

import secrets
import shlex
from pathlib import Path

import click

from checker.commands.console import KATA, LEVELS, say, shown
from checker.errors import NOT_GRADED, PASSED
from checker.kata import catalog

SEEDS = 2**31
NEXT = {
    "gradescope": "upload {to} as the autograder of a programming assignment",
    "classroom50": "copy {to}/bundle to CLASSROOM/autograders/ASSIGNMENT in your classroom50 "
    "repository",
    "prairielearn": "docker build -t YOURS/attention-katas {to}",
}
PUBLIC = "note: anyone who finds the URL of your classroom's Pages can read the bundle"


@click.command()
@click.argument("platform", type=click.Choice(list(NEXT)))
@click.argument("to", metavar="FOLDER_OR_FILE", type=click.Path(path_type=Path))
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--numbers", is_flag=True, help="Show students the numbers and their output.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the test inputs (default: random).")
@click.option("--isolation", default="auto", type=LEVELS, help="Require a level of isolation.")
def export(
    platform: str, to: Path, names: tuple[catalog.Kata, ...], numbers: bool, seed: int | None,
    isolation: str,
) -> None:  # fmt: skip
    """Write an autograder for a platform.

    It grades all katas, or those named, and contains their solutions. If the name ends in .zip, it
    is a zip file. Nothing is overwritten.
    """
    from checker.classroom.publish.autograde import Assignment
    from checker.classroom.publish.export import autograder, write_export

    katas = list(dict.fromkeys(names)) or list(catalog.katas().values())
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    assignment = Assignment([kata.name for kata in katas], seed, not numbers, isolation)
    if platform == "gradescope" and to.suffix != ".zip":
        to = to / "autograder.zip"
    write_export(to, autograder(platform, katas, assignment))
    number = f"{len(katas)} kata{'s' * (len(katas) > 1)}, {100 * len(katas)} points"
    say([f"{number}, seed {seed}: written to {shown(to)}"])
    say([PUBLIC] if platform == "classroom50" else [])
    say([f"next: {NEXT[platform].format(to=shlex.quote(shown(to)))}"])


@click.command(hidden=True)
@click.argument("form", metavar="FORMAT")
@click.argument("assignment", type=click.Path(path_type=Path))
@click.argument("submission", type=click.Path(path_type=Path))
@click.argument("result", type=click.Path(path_type=Path))
def autograde(form: str, assignment: Path, submission: Path, result: Path) -> int:
    """Grade one student's files on a platform, for an exported ASSIGNMENT."""
    from checker.classroom.publish.autograde import Assignment
    from checker.classroom.publish.autograde import autograde as grade_submission

    loaded = Assignment.load(assignment)
    return PASSED if grade_submission(form, loaded, submission, result) else NOT_GRADED
