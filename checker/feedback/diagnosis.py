"""What a file behaves like: its answers, held against those of named faults in the reference."""

from functools import cache
from pathlib import Path
from typing import Final

from checker.behaviour import Answer, Questions, apart, module
from checker.catalog import Kata
from checker.faults import mutants
from checker.intake import read
from checker.sandbox.subject import Lost, Raised, Session
from checker.telling import of_the_file

INPUTS: Final = 24
SECONDS: Final = 2.0  # for all of them

REFERENCE: Final = "like the reference"
SHIPPED: Final = "as it did when the kata was shipped"
UNKNOWN: Final = "like none of the faults that we know"


def behaves(kata: Kata, file: Path, isolation: str = "auto") -> str:
    """One plain line on what the file's answers are like. Raises `Refused` and `NotGraded`.

    The file runs in a worker; the reference and the faults planted in it are ours.
    """
    asks, source = Questions(kata), read(file)
    with Session(isolation) as session:
        session.allow(SECONDS)
        try:
            session.load(file.name, source.text)
        except (Raised, Lost) as error:
            told = of_the_file(error) if isinstance(error, Raised) else error.message
            return f"like nothing yet: it does not run ({told})"
        got = [asks.answer(session.subject, number) for number in range(INPUTS)]
    for line, answers in known(kata):
        if not any(apart(one, other) for one, other in zip(got, answers, strict=True)):
            return line
    return UNKNOWN


@cache
def known(kata: Kata) -> list[tuple[str, list[Answer]]]:
    """A line on the reference and on each fault planted in it, and their answers."""
    asks, text = Questions(kata), kata.reference.read_text(encoding="utf-8")
    sources = [(REFERENCE, text)]
    sources += [(f"as if {mutant.fault.line}", mutant.source) for mutant in mutants(text)]
    sources.append((SHIPPED, kata.text))
    planted = [(line, module(source)) for line, source in sources]
    return [(line, [asks.answer(one, number) for number in range(INPUTS)]) for line, one in planted]
