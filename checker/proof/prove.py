"""The proof of one kata: its verdicts in figures, and everything that needs fixing."""

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from checker.judge.grading import grade_all
from checker.judge.job import Job
from checker.kata.catalog import Kata
from checker.kata.source import fingerprint, read
from checker.kata.verdict import MAX_SCORE, Check, Role, Verdict
from checker.proof import copies, mutation, recorder, style
from checker.proof.cases import alternatives

NEAR_MISSES: Final = 8  # at least
ALTERNATIVES: Final = 5  # at least


@dataclass(frozen=True)
class Proof:
    """What was found about one kata, in figures, and its problems."""

    kata: str
    invariants: int = 0
    targets: int = 0
    faults: int = 0
    faults_caught: int = 0
    faults_equivalent: int = 0
    mutants: dict[str, int] = field(default_factory=dict)  # how many each fault gives
    near_misses: int = 0
    near_misses_caught: int = 0
    alternatives: int = 0
    alternatives_passed: int = 0
    spare: list[str] = field(default_factory=list)  # invariants that catch nothing alone
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


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on everything that a kata's invariants have to tell apart."""

    shipped: Verdict
    reference: Verdict
    near_misses: list[Verdict]
    alternatives: list[Verdict]
    mutants: list[Verdict]

    @property
    def wrong(self) -> list[Verdict]:
        """The verdicts on files that are wrong."""
        return [self.shipped, *self.near_misses, *self.mutants]


def proved(kata: Kata) -> Proof:
    """The proof of a kata; whatever makes a proof impossible is a problem of the kata."""
    try:
        return prove(kata)
    except (Exception, SystemExit) as error:
        where = f" ({error.filename})" if isinstance(error, OSError | SyntaxError) else ""
        message = f"it cannot be proved: {type(error).__name__}: {error}{where}"
        return Proof(kata.name, problems=[message])


def prove(kata: Kata) -> Proof:
    """Grade the kata, its reference, near misses, alternatives and all mutants."""
    with tempfile.TemporaryDirectory() as folder:
        planted = mutation.plant(kata, Path(folder))
        verdicts = _graded(kata, planted)
    return Proof(
        kata=kata.name,
        invariants=len(verdicts.shipped.checks),
        targets=[role(check) for check in verdicts.shipped.checks].count("target"),
        faults=len(planted),
        faults_caught=len(planted) - _count(verdicts.mutants, "pass", "not-graded"),
        faults_equivalent=len(mutation.equivalents(kata)),
        mutants=dict(mutation.counts(one.mutant for one in planted)),
        near_misses=len(verdicts.near_misses),
        near_misses_caught=_count(verdicts.near_misses, "fail"),
        alternatives=len(verdicts.alternatives),
        alternatives_passed=_count(verdicts.alternatives, "pass"),
        spare=_spare(verdicts),
        problems=[
            *_of_verdicts(kata, verdicts),
            *mutation.problems(kata, planted, verdicts.mutants),
            *recorder.problems(kata),
            *copies.problems(kata),
            *style.problems(kata),
        ],
    )


def role(check: Check) -> Role:
    """Whether the shipped kata, on which this check ran, breaks the invariant or keeps it."""
    return "guard" if check.status == "kept" else "target"


def why(verdict: Verdict) -> str:
    """The first thing that is wrong according to a verdict."""
    messages = [f"{check.name}: {check.message}" for check in verdict.checks if check.message]
    return verdict.message or next(iter(messages), "it keeps every invariant")


def _graded(kata: Kata, planted: list[mutation.Planted]) -> Verdicts:
    mutants = [one.file for one in planted]
    groups = [[kata.file, kata.reference], kata.near_misses, alternatives(kata), mutants]
    verdicts = iter(grade_all([Job(kata, file) for group in groups for file in group]))
    pair, wrong, right, faulty = (list(itertools.islice(verdicts, len(one))) for one in groups)
    return Verdicts(pair[0], pair[1], wrong, right, faulty)


def _count(verdicts: list[Verdict], *statuses: str) -> int:
    return sum(verdict.status in statuses for verdict in verdicts)


def _of_verdicts(kata: Kata, verdicts: Verdicts) -> Iterator[str]:
    """Verdicts that are not the expected ones, and too few files to give them."""
    yield from _stored(kata, verdicts.shipped)
    yield from _shipped(kata, verdicts.shipped)
    yield from _right(kata, "the reference", verdicts.reference)
    for verdict in verdicts.near_misses:
        if verdict.status != "fail":  # a file that does not run proves nothing
            name = Path(verdict.file).name
            yield f"the near miss {name} gives {verdict.status}, want fail: {why(verdict)}"
    for verdict in verdicts.alternatives:
        yield from _right(kata, f"the alternative {Path(verdict.file).name}", verdict)
    if len(verdicts.near_misses) < NEAR_MISSES:
        yield f"{len(verdicts.near_misses)} near misses, want at least {NEAR_MISSES}"
    if len(verdicts.alternatives) < ALTERNATIVES:
        yield f"{len(verdicts.alternatives)} alternatives, want at least {ALTERNATIVES}"
    for checks in zip(*(verdict.checks for verdict in verdicts.wrong), strict=True):
        if all(check.status == "kept" for check in checks):
            yield f"nothing breaks {checks[0].name}: delete it, or add a near miss that does"


def _stored(kata: Kata, verdict: Verdict) -> Iterator[str]:
    """The kata is the one that `verify --write` has stored, with these roles."""
    store = f"python -m checker verify {kata.name} --write"
    if not kata.text:
        yield f"it is not stored yet: once the kata fails as intended, {store}"
    elif read(kata.file).fingerprint != fingerprint(kata.text):
        yield f"it is edited: python -m checker reset {kata.name}, or to keep the edit, {store}"
    elif {check.name: role(check) for check in verdict.checks} != kata.roles:
        yield f"it breaks other invariants than shipped.json says: {store}"


def _shipped(kata: Kata, verdict: Verdict) -> Iterator[str]:
    """The shipped kata runs, gives wrong answers, and keeps an invariant."""
    if verdict.status != "fail":
        yield f"the shipped kata gives {verdict.status}, want fail: {why(verdict)}"
    if verdict.status == "pass":
        return
    if verdict.score != 0:
        yield f"the shipped kata scores {verdict.score}, want 0"
    broken = [check for check in verdict.checks if check.status == "broken"]
    if not broken:
        yield "the shipped kata breaks no invariant by a wrong answer"
    stopped = [check.name for check in verdict.checks if check.status in ("error", "timeout")]
    if stopped and not kata.raises:
        yield f"the shipped kata stops instead of giving a wrong answer: {', '.join(stopped)}"
    if len(verdict.checks) == len(broken) + len(stopped):
        yield "the shipped kata breaks every invariant: add one that a careless fix would break"
    if verdict.checks[-1].status == "kept":
        yield "the shipped kata keeps the last invariant, which is worth half of the points"
    for check in verdict.checks:
        if not check.statement:
            yield f"{check.name} has no docstring for the student to read"


def _right(kata: Kata, what: str, verdict: Verdict) -> Iterator[str]:
    """It passes, with full points once the kata's roles are stored."""
    if verdict.status != "pass" or (kata.roles and verdict.score != MAX_SCORE):
        yield f"{what} gives {verdict.status} and {verdict.score} points: {why(verdict)}"


def _spare(verdicts: Verdicts) -> list[str]:
    """The invariants that are redundant: every wrong file breaks another one too."""
    alone = {
        broken[0]
        for verdict in verdicts.wrong
        if len(broken := [check.name for check in verdict.checks if check.status != "kept"]) == 1
    }
    return [check.name for check in verdicts.shipped.checks if check.name not in alone]
