"""What a file behaves like: its answers, held against those of named faults in the reference."""

from pathlib import Path
from typing import Final

from checker.behaviour import Questions, apart, module
from checker.catalog import Kata
from checker.faults import Mutant, mutants
from checker.intake import read
from checker.sandbox.subject import Lost, Raised, Session

INPUTS: Final = 24
SECONDS: Final = 2.0  # for all of them

UNKNOWN: Final = "like none of the faults that we know"


def behaves_like(kata: Kata, file: Path, isolation: str = "auto") -> str:
    """One plain line on what the file's answers are like. Raises `Refused` and `NotGraded`."""
    found = resembled(kata, file, isolation)
    if found is None:
        return UNKNOWN
    return "like the reference" if isinstance(found, str) else f"as if {found.fault.line}"


def resembled(kata: Kata, file: Path, isolation: str = "auto") -> Mutant | str | None:
    """The first named fault whose answers are the file's, "reference", or None.

    The file runs in a worker; references and the faults planted in them are ours.
    """
    asks, source = Questions(kata), read(file)
    with Session(isolation) as session:
        session.allow(SECONDS)
        try:
            session.load(file.name, source.text)
        except (Raised, Lost):
            return None
        got = [asks.answer(session.subject, number) for number in range(INPUTS)]
    text = kata.reference.read_text(encoding="utf-8")
    for mutant in (None, *mutants(text)):
        other = module(mutant.source if mutant else text)
        if not any(apart(one, asks.answer(other, number)) for number, one in enumerate(got)):
            return mutant or "reference"
    return None
