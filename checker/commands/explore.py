"""What a learner types to see more: watch, trace, show."""

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path

import click

from checker.commands import author, console, learner
from checker.commands.console import (
    KATA,
    LEVELS,
    chosen,
    current,
    emit,
    grade,
    graded_last,
    present,
    record,
    say,
    say_verdict,
    shown,
)
from checker.commands.console import learner as known_learner
from checker.errors import NOT_PASSED, PASSED, CheckerError
from checker.judge.start import warm_up
from checker.kata import catalog

REFERENCE = "reference"
DEMOS = ("scale", "loops", "dtypes", "logsumexp")
KEYS = "[g]rade  {}  [t]race  [n]ext  [l]ist  [r]eset  [q]uit"


class CaseName(click.ParamType[str]):
    """`example`, `failing`, `extreme`, or the number of an input."""

    name = "case"

    def convert(self, value: str, param: object, ctx: object) -> str:
        """The word, if it is a case."""
        if value in ("example", "failing", "extreme") or value.isdecimal():
            return value
        raise click.UsageError(f"there is no case {value!r}: example, failing, extreme or a number")


@click.command()
@click.argument("kata", type=KATA, required=False)
@click.option("--file", type=click.Path(path_type=Path), help="Trace this file instead.")
@click.option("--case", default="example", type=CaseName(), metavar="example|failing|extreme|N",
              help="The example, the first failure, the largest numbers, or input N.")  # fmt: skip
@click.option("--against", metavar="FILE", help="Find the first line where the values of another "
              "file differ; `reference`, after a pass.")  # fmt: skip
@click.option("--values", is_flag=True, help="Print small arrays and parts of expressions too.")
@click.option("--heatmap", is_flag=True, help="Draw attention weights.")
@click.option("--html", type=click.Path(path_type=Path), help="Write an HTML page to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--isolation", default="auto", type=LEVELS, help="Require a level of isolation.")
def trace(
    kata: catalog.Kata | None, file: Path | None, case: str, against: str | None, values: bool,
    heatmap: bool, html: Path | None, as_json: bool, isolation: str,
) -> int:  # fmt: skip
    """Show the values in your code, line by line, on a small case.

    In the kata graded last, if none is given.
    """
    kata = kata or graded_last(known_learner())
    other = against and _other(kata, against)
    warm_up()
    from checker.learner.trace import run
    from checker.learner.traced_case import case_of
    from checker.learner.tracing import render

    path = present(kata, file)
    what = case_of(kata, path, case, isolation)
    seen = run(kata, path, what, isolation)
    if other:
        from checker.learner.against import compared

        name = f"the {REFERENCE}" if against == REFERENCE else shown(other)
        seen = compared(seen, run(kata, other, what, isolation), name)
    if html:
        from checker.learner.page import page

        _write_page(html, page(seen))
    elif as_json:
        emit(json.dumps(seen.to_json()))
    else:
        say([f"{kata.name}  {kata.title}  (case: {seen.case})"])
        say(render(seen, values=values, heatmap=heatmap))
        say([f"next: python -m checker {kata.name}"])
    return NOT_PASSED if seen.stopped else PASSED


def _other(kata: catalog.Kata, name: str) -> Path:
    """The file to compare with. A usage error for the reference, before a pass."""
    path = Path(name)
    if name == REFERENCE:
        kata.need("reference")
        path = kata.reference
    path = present(kata, path)
    answer = kata.has("reference") and path.exists() and path.samefile(kata.reference)
    if answer and not known_learner().passed(kata.name):
        raise click.UsageError(
            f"{kata.name} is not passed yet, and {shown(path)} is its answer: "
            f"compare with another file, or python -m checker hint {kata.name}"
        )
    return path


@click.command()
@click.argument("demo", type=click.Choice(DEMOS))
@click.option("--html", type=click.Path(path_type=Path), help="Write an HTML page to this file.")
def show(demo: str, html: Path | None) -> None:
    """Show a fact about attention as a plot.

    Why scores are scaled, what loops cost, what a dtype costs, and which softmax survives huge
    scores. All numbers are computed when you run it.
    """
    chart = import_module(f"checker.demos.{demo}").chart()
    if html:
        from checker.demos.svg import page

        _write_page(html, page(chart))
    else:
        from checker.demos.terminal import render

        say(render(chart))
    others = DEMOS[DEMOS.index(demo) + 1 :]
    say([f"next: python -m checker show {others[0]}" if others else "next: python -m checker"])


def _write_page(html: Path, page: str) -> None:
    """Write a page, but never in the place of a kata."""
    if html.resolve().suffix.lower() == ".py":
        raise click.UsageError(f"{shown(html)} is a Python file: choose a name with .html")
    html.write_text(page, encoding="utf-8")
    say([f"written to {shown(html)}"])


@click.command()
@click.argument("kata", type=KATA, required=False)
@click.pass_context
def watch(context: click.Context, kata: catalog.Kata | None) -> None:
    """Grade on every save.

    Starts with KATA, or the current one, then grades each kata you save.
    """
    from checker.learner.watch import Watch

    catalog.stay()
    at = chosen(kata)
    armed = False
    for event in Watch(list(catalog.katas().values())).events(at):
        if event == "q":
            return
        if event == "r" and not armed:
            armed = True
            say([f"press r again to reset {shown(at.file)}"])
            continue
        armed = False
        at = event if isinstance(event, catalog.Kata) else _after(at) if event == "n" else at
        console.keys = _keys(at) if _has_keyboard() else {}
        try:
            _answer(context, event, at)
        except (click.UsageError, CheckerError) as error:  # the watch goes on
            say([f"error: {error}"])
        _show_keys(at)


def _answer(context: click.Context, event: catalog.Kata | str, kata: catalog.Kata) -> None:
    """Do what a saved file or a key asks for."""
    match event:
        case "n" if not current(known_learner()):
            learner.overview()
        case catalog.Kata() | "n" | "g":
            _grade(kata)
        case "h":
            context.invoke(learner.hint, kata=kata, number=None)
        case "e":
            context.invoke(learner.explain, kata=kata)
        case "l":
            context.invoke(learner.list_, words=())
        case "t":
            context.invoke(trace, kata=kata, case="example", isolation="auto")
        case "r":
            context.invoke(learner.reset, kata=kata)
        case "d":
            context.invoke(author.doctor)


def _keys(at: catalog.Kata) -> dict[str, str]:
    """What to press instead of typing the commands that are proposed."""
    after = _after(at)
    following = {after.name: f"[n]ext ({after.name})"} if after != at else {"": "[n]ext"}
    by_kata = {"hint": "[h]int", "explain": "[e]xplain", "trace": "[t]race", "reset": "[r]eset"}
    return {
        **following,
        **{f"{command} {at.name}": key for command, key in by_kata.items()},
        at.name: "save or [g]rade",
        "list": "[l]ist",
        "doctor": "[d]octor",
    }


def _has_keyboard() -> bool:
    return bool(sys.stdin and sys.stdin.isatty())


def _show_keys(at: catalog.Kata) -> None:
    """Print the keys, if there is a keyboard."""
    if _has_keyboard():
        told = known_learner().passed(at.name) and at.has("reference")
        say([KEYS.format("[e]xplain" if told else "[h]int")])


def _grade(kata: catalog.Kata) -> None:
    """Grade one kata, and clear the screen for the verdict."""
    path = present(kata, None)
    _clear()
    say([f"grading {shown(path)} ..."])
    verdict = grade(kata, path)
    known = record(kata, verdict)
    _clear()
    say_verdict(verdict, kata, after=current(known))
    number = known.of(kata.name).attempts
    say([time.strftime("%H:%M:%S") + (f", attempt {number}" if number else "")])


def _clear() -> None:
    """Clear the screen of a terminal that can."""
    if os.environ.get("TERM") != "dumb":
        click.clear()


def _after(kata: catalog.Kata) -> catalog.Kata:
    """The next open kata, starting again after the last one; this one if all are done."""
    known = known_learner()
    katas = list(catalog.katas().values())
    here = katas.index(kata) + 1
    left = (one for one in katas[here:] + katas[:here] if not known.done(one.name))
    return next(left, kata)
