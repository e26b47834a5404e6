"""The case that a trace runs: the example, an input from the domain, or the call that was wrong."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from checker.judge.example import STATEMENT, examples, names
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import Session

if TYPE_CHECKING:
    from checker.judging.domain import Domain

CASES: Final = 300  # inputs among which the most extreme is chosen
EXAMPLE, EXTREME, FAILING = "example", "extreme", "failing"


@dataclass(frozen=True)
class TracedCase:
    """What is run: its name, what broke there, and a function that runs it on a subject."""

    name: str
    run: Callable[[Any], None]
    broken: list[str] = field(default_factory=list)


def case_of(kata: Kata, file: Path, case: str, isolation: str) -> TracedCase:
    """The case with this name: `example`, `failing`, `extreme` or the number of an input.

    Raises `BadSource`, `NotGraded`, and `NotIncluded` if the case needs a part that is not here.
    """
    if case == FAILING:
        return _failing(kata, file, isolation)
    if case == EXAMPLE:
        return TracedCase(EXAMPLE, _example(kata))
    kata.need("domain")
    from checker.judging.domain import Domain

    domain = Domain(kata.domain)
    number = _most_extreme(domain) if case == EXTREME else int(case)

    def run(subject: Any) -> None:
        answer = domain.answer(subject, number)
        if isinstance(answer, Exception):
            raise answer

    return TracedCase(case, run)


def _failing(kata: Kata, file: Path, isolation: str) -> TracedCase:
    """The call that the first broken invariant found wrong; the example, if none breaks."""
    kata.need("invariants")
    from checker.judge.grading import first_failure

    failure = first_failure(kata, file, isolation)
    if not failure or not (failure[1] or failure[0].statement == STATEMENT):
        return TracedCase(f"{EXAMPLE} (no call was found wrong)", _example(kata))
    check, calls = failure
    broken = [check.statement, *(check.message or "").split("\n")]
    if check.statement == STATEMENT:
        return TracedCase(FAILING, _example(kata), broken)
    (name, inputs), difference = _wrong_call(kata, file, calls, isolation)
    if difference:
        broken.append(f"this call: {difference}")

    def run(subject: Any) -> None:
        getattr(subject, name)(*inputs)

    return TracedCase(FAILING, run, broken)


def _wrong_call(
    kata: Kata, file: Path, calls: list[tuple[str, Any]], isolation: str
) -> tuple[tuple[str, Any], str | None]:
    """The first call whose answer is not the reference's, and how it differs; else the last."""
    if not kata.has("reference"):
        return calls[-1], None
    from checker.judge.grading import domain_of
    from checker.judging.domain import difference, module

    reference = module(kata.reference.read_text(encoding="utf-8"))
    with Session(isolation) as session, suppress(Raised, Lost):
        session.load(file.name, read(file).text)
        for call in calls:
            session.restart()
            got, want = _answer(session.subject, call), _answer(reference, call)
            if session.lost or (found := difference(got, want)):
                comparable = isinstance(got, list) and call[0] == domain_of(kata).function
                return call, found if comparable else None
    return calls[-1], None


def _answer(owner: Any, call: tuple[str, Any]) -> Any:
    """The arrays that a function returns, or the exception it raises."""
    name, inputs = call
    try:
        with np.errstate(all="ignore"):
            returned = getattr(owner, name)(*inputs)
    except Exception as error:  # of a subject, or of the reference if a wrong answer is its input
        return error
    return list(returned) if isinstance(returned, tuple | list) else [returned]


def _example(kata: Kata) -> Callable[[Any], None]:
    def run(subject: Any) -> None:
        known = names(kata, subject)
        with np.errstate(all="ignore"):
            for example in examples(kata):
                exec(example.source, known)

    return run


def _most_extreme(domain: "Domain") -> int:
    def size(number: int) -> float:
        arrays = [np.abs(np.nan_to_num(np.asarray(a, float))) for a in domain.inputs(number)]
        return max((float(array.max(initial=0)) for array in arrays), default=0.0)

    return max(range(CASES), key=size)
