"""The command line: parse, call, print. What a command needs is imported inside it."""

import gc
import itertools
import json
import os
import shlex
import signal
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from checker import __version__, catalog
from checker.sandbox import linux, processes

PASSED, NOT_PASSED, USAGE, NOT_GRADED = 0, 1, 2, 3
EXIT = {"pass": PASSED, "fail": NOT_PASSED, "error": NOT_PASSED, "not-graded": NOT_GRADED}
LEVELS = click.Choice(["auto", "strict", "process"])


class KataOrCommand(click.Group):
    """A group in which the number of a kata is a command: it grades that kata."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; failing that, `check` with a kata's name."""
        if args[0] in self.commands:
            return super().resolve_command(ctx, args)
        try:
            catalog.find(args[0])
        except catalog.UnknownKata as unknown:
            close = get_close_matches(args[0], self.commands, n=1)
            message = str(unknown)
            if close:
                message = f"there is no command or kata {args[0]!r}. Did you mean {close[0]}?"
            raise click.UsageError(message) from None
        return args[0], check, args


class KataName(click.ParamType[catalog.Kata]):
    """The name of a kata on the command line."""

    name = "kata"

    def convert(self, value: Any, param: object, ctx: object) -> catalog.Kata:
        """The kata of that name, or an error of usage that says which was perhaps meant."""
        try:
            return value if isinstance(value, catalog.Kata) else catalog.find(value)
        except catalog.UnknownKata as unknown:
            raise click.UsageError(str(unknown)) from None


KATA = KataName()


@click.group(cls=KataOrCommand, invoke_without_command=True)
@click.version_option(__version__, message="attention-katas %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find the bugs that attention code really has.

    `python -m checker kata03` (or 03, or 3) grades katas/kata03.py; its options: `kata03 --help`.
    Without a command: where you stand, and the next command.
    """
    if context.invoked_subcommand is None:
        overview()


@cli.command(hidden=True)
@click.argument("kata", type=KATA, metavar="")
@click.option("--file", type=click.Path(path_type=Path), help="Grade this file instead.")
@click.option("--json", "as_json", is_flag=True, help="The whole verdict, as JSON.")
@click.option("--exam", is_flag=True, help="Say which invariants broke, and no numbers.")
@click.option("--seed", default=0, type=click.IntRange(0), help="Draw other inputs.")
@click.option("--isolation", default="auto", type=LEVELS, help="Demand a level of isolation.")
def check(
    kata: catalog.Kata, file: Path | None, as_json: bool, exam: bool, seed: int, isolation: str
) -> int:
    """Grade one kata: exit status 0 passed, 1 not passed, 3 not graded."""
    path = file or kata.file
    if not os.path.lexists(path):
        raise click.UsageError(f"there is no file {_shown(path)}")
    grading = _grading()
    job = grading.Job(kata, path, _shown(path))
    (verdict,) = grading.grade_all([job], seed=seed, isolation=isolation)
    if as_json:
        _print([json.dumps(verdict.to_json(exam=exam), indent=2)])
    else:
        from checker.feedback.text import render

        options = [f"--file {shlex.quote(_shown(path))}"] if file else []
        options += [f"--seed {seed}"] if seed else []
        _print(render(verdict, kata, " ".join(options), exam=exam))
    return EXIT[verdict.status]


@cli.command(name="list")
def list_() -> None:
    """All katas by belt, in order: about how many minutes each takes, and what to know first."""
    for belt, group in itertools.groupby(catalog.katas().values(), lambda kata: kata.belt):
        click.echo(f"{belt} belt")
        for kata in group:
            click.echo(f"  {kata.name}  {kata.title:<28}  {kata.minutes:>2} min")
            click.echo(f"          know first: {kata.know}")
    click.echo("next: python -m checker")


@cli.command()
@click.argument("kata", type=KATA)
@click.argument("number", default=1, type=click.IntRange(1))
def hint(kata: catalog.Kata, number: int) -> None:
    """Hint NUMBER on a kata, the first one vague and each next one less so."""
    hints = kata.hints
    if number > len(hints):
        raise click.UsageError(f"{kata.name} has {len(hints)} hints")
    click.echo(f"{kata.name}, hint {number} of {len(hints)}: {hints[number - 1]}")
    more = f", or python -m checker hint {kata.name} {number + 1}" if number < len(hints) else ""
    click.echo(f"next: python -m checker {kata.name}{more}")


@cli.command()
def doctor() -> int:
    """What isolation this machine gives, tried out in a real worker."""
    grading = _grading()
    from checker.sandbox.doctor import examine

    lines, sound = examine()
    _print(lines)
    grading.rehearse(catalog.find("kata01"))
    _print(["a right file passes, a wrong one does not", "next: python -m checker"])
    return PASSED if sound else NOT_GRADED


@cli.command()
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--write", is_flag=True, help="Store what was measured in checker/roles.json.")
@click.option("--json", "as_json", is_flag=True, help="Everything that was found, as JSON.")
def verify(names: tuple[catalog.Kata, ...], write: bool, as_json: bool) -> int:
    """Prove the suite: katas broken, references right, wrong fixes caught, right ones passed."""
    _grading()
    from checker import verify as suite

    katas = names or tuple(catalog.katas().values())
    return suite.run(katas, write=write, as_json=as_json, say=click.echo)


def overview() -> None:
    """Say where the person stands; only files that were edited need to be graded."""
    from checker.intake import Refused, read

    edited, state = [], {}
    for kata in catalog.katas().values():
        try:
            untouched = read(kata.file).fingerprint == kata.shipped
        except Refused as refused:
            state[kata.name] = f"{refused.message} (git checkout {_shown(kata.file)})"
            continue
        state[kata.name] = "as shipped"
        if not untouched:
            edited.append(kata)
    if edited:
        grading = _grading()
        for verdict in grading.grade_all([grading.Job(kata, kata.file) for kata in edited]):
            if verdict.status == "not-graded":
                raise processes.NotGraded(str(verdict.message))
            score = f"{verdict.score} of {verdict.max_score} points"
            state[verdict.kata] = "passed" if verdict.status == "pass" else f"{score}, not passed"
    for kata in catalog.katas().values():
        click.echo(f"{kata.name}  {kata.belt:<6}  {kata.title:<28}  {state[kata.name]}")
    left = [name for name, word in state.items() if word != "passed"]
    passed = f"{len(state) - len(left)} of {len(state)} passed"
    click.echo(f"\n{passed} in {_shown(catalog.workplace() / 'katas')}")
    click.echo(
        f"next: python -m checker {left[0]}" if left else "That was the last one. Well done!"
    )


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status; errors are one line on stderr."""
    os.environ.update(processes.ONE_THREAD)
    received = [signal.SIGINT.value]

    def end(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # to end as Ctrl-C does, with nothing left behind
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    try:
        status = cli.main(arguments, "python -m checker", standalone_mode=False)
        return status if isinstance(status, int) else PASSED
    except click.ClickException as error:
        return _error(error.format_message(), USAGE)
    except catalog.NoKatas as error:
        return _error(str(error), USAGE)
    except processes.NotGraded as error:
        return _error(str(error), NOT_GRADED)
    except (click.Abort, KeyboardInterrupt):
        return 128 + received[-1]
    except Exception as error:
        if sys.flags.dev_mode or isinstance(error, ModuleNotFoundError):
            raise
        told = f"the checker failed ({type(error).__name__}: {error})"
        return _error(f"{told}; python -X dev -m checker shows where", NOT_GRADED)
    finally:
        processes.close()


def _grading() -> Any:
    """The judge's module; the worker's parent warms up while it is being imported."""
    if processes.FORKS:
        processes.nursery()
    linux.keep_private()
    gc.disable()  # or the collector takes a tenth of the time of the imports, and finds nothing
    from checker import grading

    gc.freeze()
    gc.enable()
    return grading


def _error(message: str, status: int) -> int:
    from checker.feedback.text import plain

    click.echo(f"error: {plain(message)}", err=True)
    return status


def _print(lines: Iterable[str]) -> None:
    """Print for whoever is still there to read: a verdict stands though nobody listens."""
    colours: dict[str, str] = {"  ok  ": "green", "  FAIL": "red", "PASS: ": "green"}
    try:
        for line in lines:
            colour = colours.get(line[:6])
            bare = colour is None or bool(os.environ.get("NO_COLOR"))
            click.echo(line if bare else click.style(line[:6], fg=colour) + line[6:])
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python stumbles over it once more
        if not isinstance(error, BrokenPipeError):
            raise


def _shown(path: Path) -> str:
    """A path as a person would type it from here."""
    with_here = Path(os.path.abspath(path))
    inside = with_here.is_relative_to(Path.cwd())
    return str(with_here.relative_to(Path.cwd()) if inside else path)
