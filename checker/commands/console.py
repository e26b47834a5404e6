"""What the commands share: names of katas, the judge, and how a person is told."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from checker.judge.start import judge, warm_up
from checker.kata import catalog
from checker.kata.source import Refused, fingerprint, read
from checker.kata.verdict import NO_INVARIANTS, Verdict
from checker.learner import progress

PASSED, NOT_PASSED, USAGE, NOT_GRADED = 0, 1, 2, 3
EXIT: Final = {
    "pass": PASSED, "fail": NOT_PASSED, "error": NOT_PASSED, "not-graded": NOT_GRADED,
}  # fmt: skip
COLOURS: Final = {"  ok  ": "green", "  FAIL": "red", "PASS: ": "green"}
MODULE, SCRIPT = "python -m checker", "attention-katas"
LEVELS: Final = click.Choice(["auto", "strict", "process"])


class KataName(click.ParamType[catalog.Kata]):
    """The name of a kata on the command line."""

    name = "kata"

    def convert(self, value: Any, param: object, ctx: object) -> catalog.Kata:
        """The kata of that name, or an error of usage that says which was perhaps meant."""
        try:
            return value if isinstance(value, catalog.Kata) else catalog.find(value)
        except catalog.UnknownKata as unknown:
            raise click.UsageError(str(unknown)) from None


KATA: Final = KataName()


def present(kata: catalog.Kata, file: Path | None) -> Path:
    """The file that was named, or else the kata's own; an error of usage where it is not there."""
    path = file or kata.file
    if not os.path.lexists(path):
        back = f": python -m checker reset {kata.name} brings it back" if not file else ""
        raise click.UsageError(f"there is no file {shown(path)}{back}")
    return path


def judged(kata: catalog.Kata, path: Path, *, seed: int = 0, isolation: str = "auto") -> Verdict:
    """The verdict on a file; where the invariants are not here, on the kata's own example alone."""
    if seed:
        kata.need("invariants")
    if not kata.has("invariants"):
        warm_up()
        from checker.judge.example import tried

        return tried(kata, path, shown(path), isolation)
    grading = judge()
    job = grading.Job(kata, path, shown(path))
    verdict: Verdict = grading.grade_all([job], seed=seed, isolation=isolation)[0]
    return verdict


def status(verdict: Verdict) -> int:
    """The exit status that a verdict comes to."""
    if verdict.reason == NO_INVARIANTS:
        return PASSED if verdict.kept else NOT_PASSED
    return EXIT[verdict.status]


def learner() -> progress.Progress:
    """What the person has done so far; what is wrong with it is told."""
    known = progress.load(catalog.workplace())
    _tell(known)
    return known


def keep(known: progress.Progress) -> None:
    """Save what the person has done; where that fails it is told."""
    known.save()
    _tell(known)


def current(known: progress.Progress) -> catalog.Kata | None:
    """The kata that is worked on, or once it is done the next one that is not; None: all are."""
    katas = list(catalog.katas().values())
    here = next((i for i, kata in enumerate(katas) if kata.name == known.at), 0)
    return next((kata for kata in katas[here:] + katas[:here] if not known.done(kata.name)), None)


def record(kata: catalog.Kata, verdict: Verdict) -> progress.Progress:
    """Take down a verdict on the person's own file; as it was shipped it is no attempt."""
    known = learner()
    with suppress(Refused):
        text = read(kata.file).fingerprint
        if status(verdict) != NOT_GRADED and text != fingerprint(kata.text):
            known.note(verdict, text)
            keep(known)
    return known


def following(known: progress.Progress) -> str:
    """The line with the next command."""
    kata = current(known)
    return f"next: {MODULE} {kata.name}" if kata else "That was the last one. Well done!"


def say(lines: Iterable[str]) -> None:
    """Print for whoever is still there to read: a verdict stands though nobody listens."""
    columns = (
        os.get_terminal_size(sys.stdout.fileno()).columns
        if sys.stdout and sys.stdout.isatty()
        else None
    )
    try:
        for line in lines:
            for part in folded(named(line), columns) if columns else [named(line)]:
                colour = COLOURS.get(part[:6])
                bare = colour is None or bool(os.environ.get("NO_COLOR"))
                click.echo(part if bare else click.style(part[:6], fg=colour) + part[6:])
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python stumbles over it once more
        if not isinstance(error, BrokenPipeError):
            raise


def named(line: str) -> str:
    """A line with the command as the person has typed it: the script's name, where it was that."""
    typed = SCRIPT if Path(sys.argv[0]).stem == SCRIPT else MODULE
    if root := catalog.named_root():
        from shlex import quote

        typed += f" --root {quote(str(root))}"
    return line.replace(MODULE, typed)


def folded(line: str, columns: int) -> list[str]:
    """A line as those that fit on a terminal, the later ones at the first one's indent."""
    indent = " " * (len(line) - len(line.lstrip()))
    wide = len(line) > columns > 2 * len(indent) + 10
    import textwrap

    wrapper = textwrap.TextWrapper(columns, subsequent_indent=indent)
    wrapper.break_on_hyphens = wrapper.break_long_words = False
    return wrapper.wrap(line) if wide else [line]


def shown(path: Path) -> str:
    """A path as a person would type it from here."""
    with_here = Path(os.path.abspath(path))
    inside = with_here.is_relative_to(Path.cwd())
    return str(with_here.relative_to(Path.cwd()) if inside else path)


def _tell(known: progress.Progress) -> None:
    if known.trouble:
        click.echo(f"note: {known.trouble}", err=True)
        known.trouble = ""
