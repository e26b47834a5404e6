"""What an instructor types: export. And what a platform does: autograde."""

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
PUBLIC = "note: whoever finds the address of your classroom's Pages can read the bundle"


@click.command()
@click.argument("platform", type=click.Choice(list(NEXT)))
@click.argument("to", metavar="FOLDER_OR_FILE", type=click.Path(path_type=Path))
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--numbers", is_flag=True, help="Show students got and want, and what they print.")
@click.option("--seed", type=click.IntRange(0), help="Draw these inputs; by default, new ones.")
@click.option("--isolation", default="auto", type=LEVELS, help="Demand a level of isolation.")
def export(
    platform: str, to: Path, names: tuple[catalog.Kata, ...], numbers: bool, seed: int | None,
    isolation: str,
) -> None:  # fmt: skip
    """Write what a platform takes to grade all katas, or these. It holds their solutions.

    A name that ends in .zip makes a zip file. Nothing is overwritten.
    """
    from checker.classroom.publish.autograde import Plan
    from checker.classroom.publish.export import files, write_folder, write_zip

    katas = list(dict.fromkeys(names)) or list(catalog.katas().values())
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    plan = Plan([kata.name for kata in katas], seed, not numbers, isolation)
    made = files(platform, katas, plan)
    if platform == "gradescope" and to.suffix != ".zip":
        to = to / "autograder.zip"
    try:
        (write_zip if to.suffix == ".zip" else write_folder)(to, made)
    except FileExistsError as error:
        there = shown(Path(error.filename))
        raise click.UsageError(f"{there} is there already: name another place") from None
    except OSError as error:
        raise click.UsageError(f"{shown(to)} cannot be written: {error.strerror}") from None
    number = f"{len(katas)} kata{'s' * (len(katas) > 1)}, {100 * len(katas)} points"
    say([f"{number}, seed {seed}: written to {shown(to)}"])
    say([PUBLIC] if platform == "classroom50" else [])
    say([f"next: {NEXT[platform].format(to=shlex.quote(shown(to)))}"])


@click.command(hidden=True)
@click.argument("form", metavar="FORMAT")
@click.argument("plan", type=click.Path(path_type=Path))
@click.argument("submission", type=click.Path(path_type=Path))
@click.argument("result", type=click.Path(path_type=Path))
def autograde(form: str, plan: Path, submission: Path, result: Path) -> int:
    """Grade what a student has handed in on a platform, as the exported PLAN has it."""
    from checker.classroom.publish.autograde import Plan
    from checker.classroom.publish.autograde import autograde as graded

    return PASSED if graded(form, Plan.load(plan), submission, result) else NOT_GRADED
