"""The suite's self-check: prove every kata, report what needs fixing, store a kata's text."""

import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from typing import Final, TypeVar

from checker.errors import NotGraded
from checker.files import write as write_file
from checker.judge.grading import grade
from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.kata.source import python_lines, read
from checker.proof import cases, stray
from checker.proof.prove import Proof, proved, role, why
from checker.proof.seeds import unsteady

SCHEMA: Final = "attention-katas/proof/v1"
INDENT: Final = 8 * " "

Say = Callable[[str], object]
T = TypeVar("T")


def run(katas: Sequence[Kata], *, write: bool, as_json: bool, say: Say) -> int:
    """Prove each kata and report it; the exit status. `write` first stores text and roles."""
    if not cases.TESTS.is_dir():
        raise NotGraded("verify needs a checkout: the alternatives are not in a wheel")
    if write:
        store(katas)
    proofs = []
    for proof in _in_parallel(proved, katas):
        proofs.append(proof)
        if not as_json:
            _report(proof, say, alone=len(katas) == 1)
    strays = []
    if len(katas) == len(catalog.katas()):
        strays = list(stray.problems(cases.TESTS.parent, catalog.katas()))
    problems = len(strays) + sum(len(proof.problems) for proof in proofs)
    if as_json:
        data = {"schema": SCHEMA, "proved": not problems, "problems": strays}
        say(json.dumps({**data, "katas": [asdict(proof) for proof in proofs]}, indent=2))
    else:
        for problem in strays:
            say(problem)
        for line in _summary(katas, problems):
            say(line)
    return 1 if problems else 0


def store(katas: Sequence[Kata]) -> None:
    """Store the text of each kata, and which invariants it breaks. Raises `NotGraded`."""
    known = dict(catalog.shipped())
    for kata in katas:
        verdict = grade(kata, kata.file)
        if verdict.status != "fail":
            raise NotGraded(f"{kata.name} gives {verdict.status}, not fail: {why(verdict)}")
        known[kata.name] = {
            "text": python_lines(read(kata.file).text),
            "roles": {check.name: role(check) for check in verdict.checks},
        }
    text = json.dumps(dict(sorted(known.items())), indent=1, ensure_ascii=False)
    write_file(catalog.SHIPPED, text + "\n")
    catalog.shipped.cache_clear()


def _report(proof: Proof, say: Say, *, alone: bool) -> None:
    """A line on the kata, one per problem, and for a kata alone one per redundant invariant."""
    say(str(proof))
    for problem in proof.problems:
        say(f"{INDENT}{problem}")
    for name in proof.spare if alone else ():
        say(f"{INDENT}{name} is redundant: other invariants catch the same bugs")


def _summary(katas: Sequence[Kata], problems: int) -> Iterator[str]:
    number = "1 kata" if len(katas) == 1 else f"{len(katas)} katas"
    if not problems:
        yield f"{number} proved"
        yield "next: python -m checker list"
        return
    again = "python -m checker verify" + (f" {katas[0].name}" if len(katas) == 1 else "")
    yield f"{number}, {problems} problem{'s' if problems > 1 else ''} to fix"
    yield f"next: fix what is listed above, then {again}"


def steady(katas: Sequence[Kata], seeds: int, say: Say) -> int:
    """Report every file whose verdict depends on the seed, out of so many; the exit status."""
    found = 0
    for lines in _in_parallel(partial(unsteady, seeds=range(seeds)), katas):
        found += len(lines)
        for line in lines:
            say(line)
    say(f"{found} verdicts depend on the seed, of {seeds} seeds")
    return 1 if found else 0


def _in_parallel(function: Callable[[Kata], T], katas: Sequence[Kata]) -> Iterator[T]:
    """The results in order, computed by a process per CPU."""
    processes = min(len(katas), os.cpu_count() or 1)
    if processes == 1:
        yield from map(function, katas)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        get_context("spawn").Pool(processes, _begin, (folder,)) as pool,
    ):
        yield from pool.imap(function, katas)


def _begin(folder: str) -> None:
    """Leave Ctrl-C to the parent, which ends this process and removes its temporary files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
