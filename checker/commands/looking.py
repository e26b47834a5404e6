"""What a learner types to look closer: watch, trace."""

import json
from pathlib import Path

import click

from checker import catalog
from checker.commands import learner
from checker.commands.console import KATA, LEVELS, current, judged, record, say, shown
from checker.commands.console import learner as known_learner
from checker.intake import Refused
from checker.start import warm_up
from checker.verdict import NotGraded

KEYS = "[h]int  [n]ext  [l]ist  [t]race  [r]eset  [q]uit"


class Case(click.ParamType[str]):
    """`example`, `extreme`, or the number of an input."""

    name = "case"

    def convert(self, value: str, param: object, ctx: object) -> str:
        """The word, if it is one of them."""
        if value in ("example", "extreme") or value.isdecimal():
            return value
        raise click.UsageError(f"there is no case {value!r}: example, extreme or a number")


@click.command()
@click.argument("kata", type=KATA)
@click.option("--file", type=click.Path(path_type=Path), help="Watch this file instead.")
@click.option("--case", default="example", type=Case(), metavar="example|extreme|N",
              help="The kata's example, the input with the largest number or input N.")  # fmt: skip
@click.option("--values", is_flag=True, help="Print small arrays whole.")
@click.option("--heatmap", is_flag=True, help="Draw weights.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page to this file.")
@click.option("--json", "as_json", is_flag=True, help="All that was seen, as JSON.")
@click.option("--isolation", default="auto", type=LEVELS, help="Demand a level of isolation.")
def trace(
    kata: catalog.Kata, file: Path | None, case: str, values: bool, heatmap: bool,
    html: Path | None, as_json: bool, isolation: str,
) -> None:  # fmt: skip
    """Each array of your code, line by line, as it comes to be on a small case."""
    warm_up()
    from checker.feedback.trace import record as watched
    from checker.feedback.trace import render

    try:
        seen = watched(kata, file or kata.file, case, isolation)
    except Refused as refused:
        raise click.UsageError(refused.message) from None
    if html:
        from checker.feedback.page import page

        html.write_text(page(seen), encoding="utf-8")
        say([f"written to {shown(html)}"])
    elif as_json:
        say([json.dumps(seen.to_json())])
    else:
        say([f"{kata.name}  {kata.title}  (case: {case})"])
        say(render(seen, values=values, heatmap=heatmap))
        say([f"next: python -m checker {kata.name}"])


@click.command()
@click.argument("kata", type=KATA, required=False)
@click.pass_context
def watch(context: click.Context, kata: catalog.Kata | None) -> None:
    """Grade a kata whenever it is saved, beginning with KATA or the current one."""
    from checker.feedback.text import plain
    from checker.watching import Watch

    katas = list(catalog.katas().values())
    at = kata or current(known_learner()) or katas[0]
    watched = Watch(katas)
    _grade(at)
    armed = False
    for event in watched.events():
        if event == "q":
            return
        if event == "r" and not armed:
            armed = True
            say([f"once more r puts {shown(at.file)} back as it was shipped"])
            continue
        armed = False
        at = event if isinstance(event, catalog.Kata) else _after(at) if event == "n" else at
        try:
            _answer(context, event, at)
        except (click.UsageError, catalog.Absent, NotGraded) as error:  # the watch goes on
            say([f"error: {plain(str(error))}"])


def _answer(context: click.Context, event: catalog.Kata | str, kata: catalog.Kata) -> None:
    """Do what a saved file or a key asks for."""
    match event:
        case catalog.Kata() | "n":
            _grade(kata)
        case "h":
            context.invoke(learner.hint, kata=kata, number=None)
        case "l":
            context.invoke(learner.list_, words=())
        case "t":
            context.invoke(trace, kata=kata, case="example", isolation="auto")
        case "r":
            context.invoke(learner.reset, kata=kata)
        case _:
            say([KEYS])


def _grade(kata: catalog.Kata) -> None:
    """Grade one kata and show what came of it on an empty screen."""
    from checker.feedback.text import render

    verdict = judged(kata, kata.file)
    known = record(kata, verdict)
    click.clear()
    say(render(verdict, kata, after=current(known)))
    say([KEYS])


def _after(kata: catalog.Kata) -> catalog.Kata:
    """The next kata that is not done; behind the last one, the first."""
    known = known_learner()
    katas = list(catalog.katas().values())
    here = katas.index(kata) + 1
    left = [one for one in katas[here:] + katas[:here] if not known.done(one.name)]
    return left[0] if left else katas[here % len(katas)]
