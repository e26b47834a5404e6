"""The suite proves itself: what is broken, what is right, and what the invariants tell apart."""

import itertools
import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from checker.errors import NotGraded
from checker.judge.grading import grade, grade_all
from checker.judge.start import Job
from checker.kata import catalog
from checker.kata.catalog import PACKAGE, Kata
from checker.kata.source import fingerprint, read
from checker.kata.verdict import MAX_SCORE, Check, Role, Verdict
from checker.proof import mutation, style

TESTS: Final = PACKAGE.parent / "tests"
NEAR_MISSES, ALTERNATIVES = 8, 5  # at least

SCHEMA: Final = "attention-katas/proof/v1"

Say = Callable[[str], object]


@dataclass(frozen=True)
class Proof:
    """What was found of one kata, in figures, and all that is not as it has to be."""

    kata: str
    invariants: int = 0
    targets: int = 0
    faults: int = 0
    faults_caught: int = 0
    faults_equivalent: int = 0
    near_misses: int = 0
    near_misses_caught: int = 0
    alternatives: int = 0
    alternatives_passed: int = 0
    spare: list[str] = field(default_factory=list)  # without them nothing more would get by
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kata}  {self.invariants:>2} invariants  "
            f"{self.faults_caught:>3} of {self.faults - self.faults_equivalent} faults caught "
            f"({self.faults_equivalent} equivalent)  "
            f"{self.near_misses_caught} of {self.near_misses} near misses caught  "
            f"{self.alternatives_passed} of {self.alternatives} alternatives pass  "
            f"{'NOT PROVED' if self.problems else 'ok'}"
        )


def run(katas: Sequence[Kata], *, write: bool, as_json: bool, say: Say) -> int:
    """Prove each kata and say what came of it; the exit status. `write` first stores its form."""
    if not TESTS.is_dir():
        raise NotGraded("verify needs a checkout: near misses and alternatives are not in a wheel")
    if write:
        store(katas)
    proofs = []
    for proof in _side_by_side(katas):
        proofs.append(proof)
        if not as_json:
            say(str(proofs[-1]))
            for problem in proofs[-1].problems:
                say(f"        {problem}")
            for name in proofs[-1].spare if len(katas) == 1 else ():
                say(f"        {name}: all that it catches is caught by others too")
    problems = sum(len(proof.problems) for proof in proofs)
    if as_json:
        data = {"schema": SCHEMA, "proved": not problems, "katas": [asdict(p) for p in proofs]}
        say(json.dumps(data, indent=2))
    else:
        number = f"{len(katas)} kata{'s' if len(katas) > 1 else ''}"
        say(f"{number}, {problems} to mend" if problems else f"{number} proved")
        say("next: " + ("mend what is named above" if problems else "python -m checker list"))
    return 1 if problems else 0


def _side_by_side(katas: Sequence[Kata]) -> Iterator[Proof]:
    """The proofs in order; several katas are proved at a time, in processes of their own."""
    processes = min(len(katas), os.cpu_count() or 1)
    if processes == 1:
        yield from map(proved, katas)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        get_context("spawn").Pool(processes, _begin, (folder,)) as pool,
    ):
        yield from pool.imap(proved, katas)


def _begin(folder: str) -> None:
    """Leave Ctrl-C to the first process, which ends this one and removes what it has left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder


def proved(kata: Kata) -> Proof:
    """The proof of a kata; whatever makes it impossible is a problem of that kata."""
    try:
        return prove(kata)
    except (Exception, SystemExit) as error:
        where = f" ({error.filename})" if isinstance(error, OSError | SyntaxError) else ""
        told = f"it cannot be proved: {type(error).__name__}: {error}{where}"
        return Proof(kata.name, problems=[told])


def store(katas: Sequence[Kata]) -> None:
    """Measure which invariants each shipped kata breaks, and keep it with its text."""
    known = dict(catalog.shipped())
    for kata in katas:
        verdict = grade(kata, kata.file)
        if verdict.status != "fail":
            raise NotGraded(f"{kata.name} gives {verdict.status}, not fail: {_why(verdict)}")
        known[kata.name] = {
            "text": read(kata.file).text.splitlines(),
            "roles": {check.name: _role(check) for check in verdict.checks},
        }
    text = json.dumps(dict(sorted(known.items())), indent=1, ensure_ascii=False)
    catalog.SHIPPED.write_text(text + "\n", "utf-8")
    catalog.shipped.cache_clear()


def prove(kata: Kata) -> Proof:
    """Grade the kata, its reference, near misses, alternatives and every mutant, and judge them."""
    misses = sorted((TESTS / "near_misses" / kata.name).glob("*.py"))
    others = sorted((TESTS / "alternatives" / kata.name).glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        planted = mutation.plant(kata, Path(folder))
        groups = [[kata.file, kata.reference], misses, others, [one.file for one in planted]]
        verdicts = iter(grade_all([Job(kata, file) for group in groups for file in group]))
    (shipped, reference), caught, passed, faulty = (
        list(itertools.islice(verdicts, len(group))) for group in groups
    )
    problems = [
        *_shipped(kata, shipped),
        *_right("the reference", reference),
        *(p for verdict in caught for p in _near_miss(verdict)),
        *(p for v in passed for p in _right(f"the alternative {Path(v.file).name}", v)),
        *_enough(len(misses), len(others)),
        *_earned([shipped, *caught, *faulty]),
        *mutation.problems(kata, planted, faulty),
        *style.problems(kata),
    ]
    return Proof(
        kata=kata.name,
        invariants=len(shipped.checks),
        targets=[_role(check) for check in shipped.checks].count("target"),
        faults=len(planted),
        faults_caught=len(faulty) - _count(faulty, "pass") - _count(faulty, "not-graded"),
        faults_equivalent=len(mutation.excused(kata)),
        near_misses=len(misses),
        near_misses_caught=_count(caught, "fail"),
        alternatives=len(others),
        alternatives_passed=_count(passed, "pass"),
        spare=_spare(shipped, [*caught, *faulty]),
        problems=problems,
    )


def _role(check: Check) -> Role:
    return "guard" if check.status == "kept" else "target"


def _count(verdicts: list[Verdict], status: str) -> int:
    return sum(verdict.status == status for verdict in verdicts)


def _shipped(kata: Kata, verdict: Verdict) -> Iterator[str]:
    """The kata runs, and breaks exactly its targets, by wrong answers."""
    if verdict.status != "fail":
        yield f"the shipped kata gives {verdict.status}, want fail: {_why(verdict)}"
    if read(kata.file).fingerprint != fingerprint(kata.text):
        yield f"it is edited: python -m checker reset {kata.name}, or as its author verify --write"
    elif {check.name: _role(check) for check in verdict.checks} != kata.roles:
        yield "it breaks other invariants than checker/shipped.json says: verify --write"
    if verdict.score != 0:
        yield f"the shipped kata scores {verdict.score}, want 0"
    broken = [check for check in verdict.checks if check.status == "broken"]
    if not broken:
        yield "the shipped kata breaks nothing by a wrong answer"
    stopped = [check.name for check in verdict.checks if check.status in ("error", "timeout")]
    if stopped and not kata.raises:
        yield f"the shipped kata stops instead of giving a wrong answer: {', '.join(stopped)}"
    if len(verdict.checks) == len(broken) + len(stopped):
        yield "the shipped kata keeps no invariant: nothing guards against a careless fix"
    if verdict.checks[-1].status == "kept":
        yield "the shipped kata keeps the last invariant, which earns half of the points"
    yield from (f"{c.name} has no line for the student" for c in verdict.checks if not c.statement)


def _right(what: str, verdict: Verdict) -> Iterator[str]:
    if verdict.status != "pass" or verdict.score != MAX_SCORE:
        yield f"{what} gives {verdict.status} and {verdict.score} points: {_why(verdict)}"


def _near_miss(verdict: Verdict) -> Iterator[str]:
    """A near miss runs and is told apart; to be caught for not running proves nothing."""
    if verdict.status != "fail":
        yield f"the near miss {Path(verdict.file).name} gives {verdict.status}: {_why(verdict)}"


def _enough(misses: int, others: int) -> Iterator[str]:
    if misses < NEAR_MISSES:
        yield f"{misses} near misses, want at least {NEAR_MISSES}"
    if others < ALTERNATIVES:
        yield f"{others} alternatives, want at least {ALTERNATIVES}"


def _earned(verdicts: list[Verdict]) -> Iterator[str]:
    """Every invariant is broken by the kata or by some near miss."""
    for checks in zip(*(verdict.checks for verdict in verdicts), strict=True):
        if all(check.status == "kept" for check in checks):
            yield f"nothing breaks {checks[0].name}: it is not needed"


def _spare(shipped: Verdict, verdicts: list[Verdict]) -> list[str]:
    """The invariants without which every wrong answer would still be caught by another."""
    names = [check.name for check in shipped.checks]
    alone = {
        broken[0]
        for verdict in verdicts
        if len(broken := [check.name for check in verdict.checks if check.status != "kept"]) == 1
    }
    return [name for name in names if name not in alone]


def _why(verdict: Verdict) -> str:
    """The first thing that is wrong with a verdict."""
    told = [f"{check.name}: {check.message}" for check in verdict.checks if check.message]
    return verdict.message or next(iter(told), "it keeps every invariant")
