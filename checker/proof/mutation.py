"""Mutation testing of the invariants: every known fault, planted everywhere in a reference.

A mutant that no invariant notices is a problem, unless `equivalent.toml` says why it is no fault.
What that file says is tried on inputs from the whole domain of the kata's contract.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from checker.faults import Mutant, mutants
from checker.judging.domain import Answer, Domain, module
from checker.kata.catalog import PACKAGE, Kata
from checker.kata.verdict import Verdict

EQUIVALENT: Final = PACKAGE / "proof" / "equivalent.toml"
INPUTS: Final = 300


@dataclass(frozen=True)
class Planted:
    """A mutant of a reference, and the file that holds it."""

    mutant: Mutant
    file: Path


def of_reference(kata: Kata) -> list[Mutant]:
    """Every mutant of the kata's reference."""
    return mutants(kata.reference.read_text(encoding="utf-8"))


def plant(kata: Kata, folder: Path) -> list[Planted]:
    """Write every mutant of the kata's reference into the folder."""
    planted = []
    for mutant in of_reference(kata):
        file = folder / f"{mutant.name}.py"
        file.write_text(mutant.source, encoding="utf-8")
        planted.append(Planted(mutant, file))
    return planted


def counts(mutants: Iterable[Mutant]) -> Counter[str]:
    """How many of the mutants each fault gave, by the fault's id."""
    return Counter(mutant.fault.id for mutant in mutants)


def equivalents(kata: Kata) -> dict[str, str]:
    """The mutants of the kata that are no faults, by name, each with the reason."""
    table: dict[str, dict[str, str]] = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return table.get(kata.name, {})


class Trial:
    """Mutants against the reference, on the same inputs from all of the domain."""

    def __init__(self, kata: Kata) -> None:
        self._domain = Domain(kata.domain)
        self._reference = module(kata.reference.read_text(encoding="utf-8"))

    @cached_property
    def wanted(self) -> list[Answer]:
        """What the reference answers to each input."""
        return [self._domain.answer(self._reference, number) for number in range(INPUTS)]

    def difference(self, mutant: Mutant) -> str | None:
        """The first input on which a mutant differs from the reference; None: there is none."""
        wrong = module(mutant.source)
        for number, want in enumerate(self.wanted):
            if found := self._domain.difference(number, self._domain.answer(wrong, number), want):
                return f"on input {number} of its domain: {found}"
        return None

    def unanswered(self) -> Iterator[str]:
        """The first input that the reference raises on: no contract has it."""
        for number, answer in enumerate(self.wanted):
            if isinstance(answer, Exception):
                yield f"the reference raises on input {number} of its domain: {answer!r}"
                return


def problems(kata: Kata, planted: list[Planted], verdicts: list[Verdict]) -> Iterator[str]:
    """Mutants that survive without an excuse, and excuses that do not hold."""
    trial = Trial(kata)
    yield from trial.unanswered()
    excused = equivalents(kata)
    survivors = {
        one.mutant.name: one.mutant
        for one, verdict in zip(planted, verdicts, strict=True)
        if verdict.status == "pass"
    }
    for name, mutant in survivors.items():
        if name not in excused:
            yield f"no invariant notices the fault {name} (line {mutant.line}: {mutant.fault.line})"
        elif found := trial.difference(mutant):
            yield f"equivalent.toml excuses {name}, but it differs {found}"
    for name in excused.keys() - survivors:
        yield f"equivalent.toml excuses {name}, which needs no excuse: delete the line"
    not_graded = [verdict.message for verdict in verdicts if verdict.status == "not-graded"]
    yield from (f"a mutant was not graded: {message}" for message in not_graded)
