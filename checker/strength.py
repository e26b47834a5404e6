"""How much the invariants catch: every named fault, at every place of a reference.

A fault that no invariant notices is an error of ours, unless `faults/equivalent.toml` says why it
is none; and what it says is tried on inputs from the whole domain of the kata's contract.
"""

import runpy
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from checker.catalog import PACKAGE, Kata
from checker.faults import Mutant, mutants
from checker.judging import assert_array, assert_same
from checker.verdict import Verdict

EQUIVALENT: Final = PACKAGE / "faults" / "equivalent.toml"
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
    excuses = excused(kata)
    survivors = {
        one.mutant.name: one.mutant
        for one, verdict in zip(planted, verdicts, strict=True)
        if verdict.status == "pass"
    }
    for name, mutant in survivors.items():
        if name not in excuses:
            yield f"the fault {name} is not noticed (line {mutant.line}: {mutant.fault.line})"
        elif difference := differs(kata, mutant):
            yield f"the fault {name} is excused, and yet {difference}"
    for name in excuses.keys() - survivors:
        yield f"equivalent.toml excuses {name}, which needs no excuse"
    not_graded = [verdict.message for verdict in verdicts if verdict.status == "not-graded"]
    yield from (f"a mutant was not graded: {message}" for message in not_graded)


def differs(kata: Kata, mutant: Mutant) -> str | None:
    """Where a mutant and the reference part, over inputs from all of the domain; None: nowhere."""
    of_domain = runpy.run_path(str(kata.domain))
    sources = kata.reference.read_text(encoding="utf-8"), mutant.source
    right, wrong = (_module(source) for source in sources)
    ask: Callable[..., Any] = of_domain["ask"]
    for number in range(INPUTS):
        inputs = of_domain["draw"](np.random.default_rng(number))
        with np.errstate(all="ignore"):
            want = _arrays(ask(right, *inputs))
            try:
                for one, other in zip(_arrays(ask(wrong, *inputs)), want, strict=True):
                    assert_array(one, other.shape, other.dtype, "output")
                    assert_same(one, other, "output")
            except Exception as error:  # whatever a mutant may raise is a difference
                return f"on input {number} of its domain: {error}"
    return None


def _module(source: str) -> ModuleType:
    module = ModuleType("planted")
    exec(compile(source, "planted", "exec"), module.__dict__)
    return module


def _arrays(returned: Any) -> list[Any]:
    return list(returned) if isinstance(returned, tuple) else [returned]
