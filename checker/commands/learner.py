"""What a learner types: grade, overview, list, hint, reset, explain, init."""

import itertools
import json
from pathlib import Path

import click

from checker.commands.console import (
    KATA,
    LEVELS,
    chosen,
    current,
    emit,
    following,
    grade,
    graded_last,
    keep,
    learner,
    named,
    present,
    record,
    say,
    say_verdict,
    shown,
    status,
)
from checker.files import create
from checker.judge.job import Job
from checker.judge.start import warm_up
from checker.kata import catalog
from checker.kata.source import BadSource, fingerprint, read
from checker.learner.progress import Progress, now
from checker.reports import FORMATS

OPEN, DONE = "open", "passed"
BAR = 20  # characters

README = """# Attention katas

Each file in `katas` is attention code that looks right and has one bug. Edit it, then

    python -m checker kata01     grade it
    python -m checker watch      grade on every save
    python -m checker hint       when stuck
    python -m checker trace 1    the values, line by line
    python -m checker            your progress
"""


@click.command()
@click.argument("kata", type=KATA, metavar="")
@click.option("--file", type=click.Path(path_type=Path), help="Grade this file instead.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole verdict as JSON.")
@click.option("--format", "form", type=click.Choice(["json", *FORMATS]),
              help="Print it in a platform's format.")  # fmt: skip
@click.option("--exam", is_flag=True, help="Show which invariants broke, without numbers.")
@click.option("--seed", default=0, type=click.IntRange(0), help="Use other random inputs.")
@click.option("--isolation", default="auto", type=LEVELS, help="Require a level of isolation.")
def check(
    kata: catalog.Kata, file: Path | None, as_json: bool, form: str | None, exam: bool, seed: int,
    isolation: str,
) -> int:  # fmt: skip
    """Grade one kata: exit status 0 passed, 1 not passed, 3 not graded."""
    path = present(kata, file)
    verdict = grade(kata, path, seed=seed, isolation=isolation)
    after = None if file else current(record(kata, verdict))
    if exam:
        verdict = verdict.for_exam()
    if as_json or form == "json":
        emit(json.dumps(verdict.to_json(), indent=2))
    elif form:
        emit(FORMATS[form]([verdict.to_json()], exam=exam).rstrip("\n"))
    else:
        from shlex import quote

        options = [f"--file {quote(shown(path))}"] if file else []
        options += [f"--seed {seed}"] if seed else []
        say_verdict(verdict, kata, " ".join(options), after=after)
    return status(verdict)


@click.command(name="list")
@click.argument("words", metavar="[BELT|open|passed|WORD]...", nargs=-1)
def list_(words: tuple[str, ...]) -> None:
    """List the katas, by belt.

    Shows which are done, about how many minutes each takes, and what to know first. To select
    katas, give belts, a state (open, passed) or words of the title or of what to know first.
    """
    known = learner()
    matching = [kata for kata in catalog.katas().values() if _fits(kata, known, words)]
    if not matching:
        say([f"no kata matches {' and '.join(words)}", "next: python -m checker list"])
        return
    for belt, group in itertools.groupby(matching, lambda kata: kata.belt):
        say([f"{belt} belt"])
        for kata in group:
            mark = "x" if known.done(kata.name) else ">" if kata == current(known) else " "
            say([f"  {kata.name} [{mark}] {kata.title:<28} {kata.minutes:>2} min"])
            say([f"             know first: {kata.know}"])
    say([following(known)])


@click.command()
@click.argument("kata", type=KATA, required=False)
@click.argument("number", required=False, type=click.IntRange(1))
def hint(kata: catalog.Kata | None, number: int | None) -> None:
    """Show the next hint on a kata.

    On the current kata, if none is given; NUMBER repeats an earlier hint. Each is more specific
    than the one before; those that are not about what your code breaks are left out. The last one
    names the known bug your code behaves like.
    """
    kata, known = chosen(kata), learner()
    done, last = known.of(kata.name), len(kata.hints) + kata.has("reference")
    offered = min(kata.next_hint(done.read, done.broken), last)
    number = number or offered
    if number > max(offered, done.read):
        first = f"hint {offered} of {kata.name} comes first"
        raise click.UsageError(first if number <= last else f"{kata.name} has only {last} hints")
    text = kata.hints[number - 1] if number <= len(kata.hints) else _diagnosis(kata)
    say([f"{kata.name}, hint {number} of {last}: {text}"])
    if number > done.read:
        known.take_hint(kata.name, number)
        keep(known)
    more = f"  (or: python -m checker hint {kata.name})" if done.read < last else ""
    say([f"next: python -m checker {kata.name}{more}"])


@click.command()
@click.argument("kata", type=KATA, required=False)
def reset(kata: catalog.Kata | None) -> None:
    """Restore a kata as it was shipped.

    The current one, if none is given. Your version is kept next to it.
    """
    kata = chosen(kata)
    kept = kata.reset()
    say([f"{shown(kata.file)} is restored as it was shipped"])
    if kept:
        say([f"your version is kept as {shown(kept)}"])
    say([f"next: python -m checker {kata.name}"])


@click.command()
@click.argument("kata", type=KATA, required=False)
@click.option("--spoil", is_flag=True, help="Tell it even before a pass; this is recorded.")
def explain(kata: catalog.Kata | None, spoil: bool) -> None:
    """Tell the story of a bug, after a pass.

    Of the kata graded last, if none is given. With your fix, the reference's fix, and public
    reports of the same bug.
    """
    known = learner()
    kata = kata or graded_last(known)
    kata.need("reference")
    if not known.passed(kata.name):
        if not spoil:
            raise click.UsageError(
                f"{kata.name} is not passed yet: python -m checker hint {kata.name}, "
                f"or python -m checker explain {kata.name} --spoil"
            )
        known.of(kata.name).spoiled = known.of(kata.name).spoiled or now()
        keep(known)
    from checker.learner.debrief import debrief

    say(debrief(kata))
    say([following(known)])


@click.command()
@click.argument("folder", default="attention-katas", type=click.Path(path_type=Path))
@click.option("--notebooks", is_flag=True, help="Write a notebook per belt, too.")
def init(folder: Path, notebooks: bool) -> None:
    """Write the katas into FOLDER, to work there.

    Adds a short README. Nothing is overwritten.
    """
    from shlex import quote

    files = {f"katas/{kata.name}.py": kata.text for kata in catalog.katas().values()}
    if notebooks:
        from checker.learner import books

        files |= books.notebooks()
    written, left = 0, []
    for name, text in {"README.md": named(README), **files}.items():
        file = folder / name
        try:
            create(file, text.encode())
            written += 1
        except FileExistsError:
            left.append(shown(file))
    if left:
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        say([f"not overwritten: {left[0]}{more}"])
    say([f"{written} files written to {shown(folder)}"])
    say([f"next: cd {quote(str(folder))}, then python -m checker"])


def overview() -> None:
    """Print the learner's progress and the next command, without grading anything."""
    known = learner()
    for belt, group in itertools.groupby(catalog.katas().values(), lambda kata: kata.belt):
        katas = list(group)
        done = sum(known.done(kata.name) for kata in katas)
        bar = "#" * (BAR * done // len(katas))
        say([f"{belt:<6}  {bar:-<{BAR}}  {done} of {len(katas)}"])
    say([""])
    for kata in catalog.katas().values():
        if state := _state(kata, known):
            say([f"{kata.name}  {kata.title}: {state}"])
    katas = list(catalog.katas().values())
    done = sum(known.done(kata.name) for kata in katas)
    what = "passed" if katas[0].has("invariants") else "pass their example"
    say([f"{done} of {len(katas)} {what} in {shown(catalog.workplace() / 'katas')}"])
    if current(known):
        say([following(known)])
    else:
        from checker.learner.recap import recap

        say(recap(known))


def _fits(kata: catalog.Kata, known: Progress, words: tuple[str, ...]) -> bool:
    """Whether a kata has one of the given belts, and matches every other word."""
    state = DONE if known.done(kata.name) else OPEN
    asked = {word.lower() for word in words}
    belts = {one.belt for one in catalog.katas().values()} & asked
    text = f"{kata.title}\n{kata.know}".lower()
    return (not belts or kata.belt in belts) and all(
        word == state if word in (OPEN, DONE) else word in text for word in asked - belts
    )


def _state(kata: catalog.Kata, known: Progress) -> str:
    """A few words on a kata that was started, or nothing."""
    record = known.of(kata.name)
    try:
        text = read(kata.file).text
    except BadSource as error:
        return f"{error.message} (python -m checker reset {kata.name})"
    edited = fingerprint(text) not in (fingerprint(kata.text), record.text)
    return ", ".join(filter(None, [str(record), "edited, not graded yet" if edited else ""]))


def _diagnosis(kata: catalog.Kata) -> str:
    kata.need("reference")
    warm_up()
    from checker.judge.diagnosis import UNKNOWN, diagnose, known

    try:
        line = diagnose(Job(kata, present(kata, None)))
    except BadSource as error:
        line = f"{UNKNOWN}: {error.message}"
    if line == UNKNOWN:
        line += (
            f": its results differ from those of all {len(known(kata)) - 1} that were tried. "
            f"The first call that goes wrong: python -m checker trace {kata.name} --case failing"
        )
    return f"your code behaves {line}"
