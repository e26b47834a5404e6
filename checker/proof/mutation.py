"""How much the invariants catch: every named fault, at every place of a reference.

A fault that no invariant notices is an error of ours, unless `faults/equivalent.toml` says why it
is none; and what it says is tried on inputs from the whole domain of the kata's contract.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from checker.faults import Mutant, mutants
from checker.judging.domain import Domain, difference, module
from checker.kata.catalog import PACKAGE, Kata
from checker.kata.verdict import Verdict

EQUIVALENT: Final = PACKAGE / "proof" / "equivalent.toml"
INPUTS: Final = 300


@dataclass(frozen=True)
class Planted:
    """A fault in a reference, and the file that holds it."""

    mutant: Mutant
    file: Path


def plant(kata: Kata, folder: Path) -> list[Planted]:
    """Write every mutant of the kata's reference into the folder."""
    planted = []
    for mutant in mutants(kata.reference.read_text(encoding="utf-8")):
        file = folder / f"{mutant.name}.py"
        file.write_text(mutant.source, encoding="utf-8")
        planted.append(Planted(mutant, file))
    return planted


def excused(kata: Kata) -> dict[str, str]:
    """The mutants of the kata that are said to be no faults, by name, each with the reason."""
    table: dict[str, dict[str, str]] = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return table.get(kata.name, {})


def problems(kata: Kata, planted: list[Planted], verdicts: list[Verdict]) -> Iterator[str]:
    """What is wrong: survivors that nothing excuses, and excuses that do not hold."""
    yield from _unanswered(kata)
    excuses = excused(kata)
    survivors = {
        one.mutant.name: one.mutant
        for one, verdict in zip(planted, verdicts, strict=True)
        if verdict.status == "pass"
    }
    for name, mutant in survivors.items():
        if name not in excuses:
            yield f"the fault {name} is not noticed (line {mutant.line}: {mutant.fault.line})"
        elif found := differs(kata, mutant):
            yield f"the fault {name} is excused, and yet {found}"
    for name in excuses.keys() - survivors:
        yield f"equivalent.toml excuses {name}, which needs no excuse"
    not_graded = [verdict.message for verdict in verdicts if verdict.status == "not-graded"]
    yield from (f"a mutant was not graded: {message}" for message in not_graded)


def differs(kata: Kata, mutant: Mutant) -> str | None:
    """Where a mutant and the reference part, over inputs from all of the domain; None: nowhere."""
    asks = Domain(kata.domain)
    right, wrong = module(kata.reference.read_text(encoding="utf-8")), module(mutant.source)
    for number in range(INPUTS):
        found = difference(asks.answer(wrong, number), asks.answer(right, number))
        if found:
            return f"on input {number} of its domain: {found}"
    return None


def _unanswered(kata: Kata) -> Iterator[str]:
    """The first input of the domain that the reference raises on: it belongs to no contract."""
    asks, right = Domain(kata.domain), module(kata.reference.read_text(encoding="utf-8"))
    for number in range(INPUTS):
        answer = asks.answer(right, number)
        if isinstance(answer, Exception):
            yield f"the reference raises on input {number} of its domain: {answer!r}"
            return
