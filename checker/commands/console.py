"""What the commands share: kata names, grading, progress, and printing."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from checker.errors import NOT_GRADED, NOT_PASSED, PASSED
from checker.judge import start
from checker.judge.job import Job
from checker.kata import catalog
from checker.kata.source import fingerprint
from checker.kata.verdict import NO_INVARIANTS, Verdict
from checker.learner import progress
from checker.plain import SHAPE, for_people

COLOURS: Final = {"  ok  ": "green", "  FAIL": "red", "PASS: ": "green"}
LABEL: Final = re.compile(r"  (?:FAIL|ok  |--  )  | *\| ")  # text hangs under what follows it
UNBROKEN: Final = "\0"  # in place of a space where a line must not be wrapped
BELOW: Final = 3  # lines under a verdict: a prompt, or what `watch` adds
MODULE, SCRIPT = "python -m checker", "attention-katas"
PROPOSED: Final = re.compile(rf"{MODULE}((?: (?!kata)[a-z]+)?+(?: kata\d\d)?+)(?! -| \|)")
LEVELS: Final = click.Choice(["auto", "strict", "process"])


keys: dict[str, str] = {}  # while keys are read: what to press instead of typing a command


class KataName(click.ParamType[catalog.Kata]):
    """The name of a kata on the command line."""

    name = "kata"

    def convert(self, value: Any, param: object, ctx: object) -> catalog.Kata:
        """The kata with that name. Raises `UnknownKata`."""
        return value if isinstance(value, catalog.Kata) else catalog.find(value)


KATA: Final = KataName()


def present(kata: catalog.Kata, file: Path | None) -> Path:
    """The file that was given, or the kata's own. A usage error if it does not exist."""
    path = file or kata.file
    if not os.path.lexists(path):
        restore = f": python -m checker reset {kata.name} restores it" if not file else ""
        raise click.UsageError(f"there is no file {shown(path)}{restore}")
    return path


def grade(kata: catalog.Kata, path: Path, *, seed: int = 0, isolation: str = "auto") -> Verdict:
    """The verdict on a file; without invariants here, on the kata's example alone."""
    if kata.has("invariants"):
        job = Job(kata, path, shown(path))
        return start.grade_all([job], seed=seed, isolation=isolation)[0]
    if seed:
        kata.need("invariants")
    start.warm_up()
    from checker.judge.example import grade_example

    return grade_example(kata, path, shown(path), isolation)


def status(verdict: Verdict) -> int:
    """The exit status for a verdict."""
    if verdict.reason == NO_INVARIANTS:
        return PASSED if verdict.kept else NOT_PASSED
    if verdict.status == "not-graded":
        return NOT_GRADED
    return PASSED if verdict.status == "pass" else NOT_PASSED


def learner() -> progress.Progress:
    """The learner's progress; any trouble with it is printed."""
    known = progress.load(catalog.workplace())
    _print_trouble(known)
    return known


def keep(known: progress.Progress) -> None:
    """Save the learner's progress; any trouble with it is printed."""
    known.save()
    _print_trouble(known)


def graded_last(known: progress.Progress) -> catalog.Kata:
    """The kata whose edited file was graded last, or the first one."""
    katas = catalog.katas()
    return katas.get(known.at or "") or next(iter(katas.values()))


def current(known: progress.Progress) -> catalog.Kata | None:
    """The kata graded last, or the next open one if that is done; None if all are done.

    The overview proposes it, and commands take it if no kata is named.
    """
    katas = list(catalog.katas().values())
    here = katas.index(graded_last(known))
    return next((kata for kata in katas[here:] + katas[:here] if not known.done(kata.name)), None)


def chosen(kata: catalog.Kata | None) -> catalog.Kata:
    """The kata that was named, or else the current one."""
    if kata:
        return kata
    known = learner()
    return current(known) or graded_last(known)


def record(kata: catalog.Kata, verdict: Verdict) -> progress.Progress:
    """Record a verdict on the learner's own file; the kata as shipped is not an attempt."""
    known = learner()
    edited = verdict.fingerprint not in (None, fingerprint(kata.text))
    if status(verdict) != NOT_GRADED:
        known.at = kata.name
        if edited:
            known.note(verdict)
        keep(known)
    return known


def following(known: progress.Progress) -> str:
    """The line with the next command."""
    kata = current(known)
    return f"next: {MODULE} {kata.name}" if kata else f"next: {MODULE}  (all are done: your recap)"


def say_verdict(
    verdict: Verdict, kata: catalog.Kata, options: str = "", *, after: catalog.Kata | None = None
) -> None:
    """Print a verdict; on a terminal as much of it as fits, so that its title stays visible."""
    from checker.learner.text import render

    terminal = _terminal()
    for brevity in range(len(verdict.checks) + 1):
        lines = list(render(verdict, kata, options, after=after, brevity=brevity))
        rows = len([part for line in lines for part in _rows(line, terminal)])
        if not terminal or rows <= terminal.lines - BELOW:
            break
    say(lines)


def say(lines: Iterable[str]) -> None:
    """Print lines for people: without control characters, folded and coloured on a terminal."""
    terminal = _terminal()
    with _reader_may_leave():
        for line in lines:
            first, *others = _rows(line, terminal)
            colour = COLOURS.get(first[:6])
            bare = colour is None or is_plain()
            click.echo(first if bare else click.style(first[:6], fg=colour) + first[6:])
            for part in others:
                click.echo(part)


def _terminal() -> os.terminal_size | None:
    """The size of the terminal that is printed to, if it is one and has a size."""
    if not (sys.stdout and sys.stdout.isatty()):
        return None
    size = os.get_terminal_size(sys.stdout.fileno())
    return size if all(size) else None


def _rows(line: str, terminal: os.terminal_size | None) -> list[str]:
    """A line as it is printed: safe, with the command as it was typed, and folded."""
    safe = for_people(named(line))
    return folded(safe, terminal.columns) if terminal else [safe]


def emit(text: str) -> None:
    """Print text for a program, exactly as it is."""
    with _reader_may_leave():
        click.echo(text)


def warn(line: str) -> None:
    """Print a line for people to stderr."""
    click.echo(for_people(named(line)), err=True)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Write everything; a reader that has gone away is not an error."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python fails on it again at exit
        if not isinstance(error, BrokenPipeError):
            raise


def named(line: str) -> str:
    """A line with commands as they are given here: `python -m checker`, the script, or a key."""
    line = PROPOSED.sub(lambda found: keys.get(found[1].strip(), found[0]), line)
    typed = SCRIPT if Path(sys.argv[0]).stem == SCRIPT else MODULE
    if root := catalog.named_root():
        from shlex import quote

        typed += f" --root {quote(str(root))}"
    return line.replace(MODULE, typed)


def is_plain() -> bool:
    """Whether the terminal, or the person, wants text without colours."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def folded(line: str, columns: int) -> list[str]:
    """A line wrapped to a terminal's width; what follows hangs under its text, and begins no line.

    A shape or an index stays on one line.
    """
    label = LABEL.match(line)
    hang = label.end() if label else len(line) - len(line.lstrip()) + 2
    if not len(line) > columns > 2 * hang + 6:
        return [line]
    import textwrap

    wrapper = textwrap.TextWrapper(columns, subsequent_indent=" " * hang)
    wrapper.break_on_hyphens = wrapper.break_long_words = False
    whole = SHAPE.sub(lambda shape: shape[0].replace(" ", UNBROKEN), line)
    return [part.replace(UNBROKEN, " ") for part in wrapper.wrap(whole)] or [""]


def shown(path: Path) -> str:
    """A path as one would type it from the current folder."""
    with_here = Path(os.path.abspath(path))
    inside = with_here.is_relative_to(Path.cwd())
    return str(with_here.relative_to(Path.cwd()) if inside else path)


def _print_trouble(known: progress.Progress) -> None:
    if known.trouble:
        warn(f"note: {known.trouble}")
        known.trouble = ""
