"""What a file behaves like: its answers, held against those of named faults in the reference."""

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

from checker.faults import mutants
from checker.judge.messages import of_the_file
from checker.judging.domain import Answer, Questions, apart, module
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.sandbox.host.session import Lost, Raised, Session

INPUTS: Final = 24
SECONDS: Final = 2.0  # for each of them

REFERENCE: Final = "like the reference"
SHIPPED: Final = "as it did when the kata was shipped"
UNKNOWN: Final = "like none of the faults that we know"


def behaves(kata: Kata, file: Path, isolation: str = "auto") -> str:
    """One plain line on what the file's answers are like. Raises `Refused` and `NotGraded`.

    The file runs in a worker; the reference and the faults planted in it are ours.
    """
    source = read(file)
    with Session(isolation) as session:
        session.allow(SECONDS)
        try:
            session.load(file.name, source.text)
        except (Raised, Lost) as error:
            told = of_the_file(error) if isinstance(error, Raised) else error.message
            return f"like nothing yet: it does not run ({told})"
        left = list(range(len(known(kata))))
        for number in range(INPUTS):
            answers = answered(kata, number)  # before the file's time begins
            session.allow(SECONDS)
            got = asks(kata).answer(session.subject, number)
            left = [i for i in left if not apart(got, answers[i])]
            if not left:
                return UNKNOWN
    return known(kata)[left[0]][0]


@cache
def asks(kata: Kata) -> Questions:
    """The inputs of the kata."""
    return Questions(kata)


@cache
def known(kata: Kata) -> list[tuple[str, ModuleType]]:
    """A line on the reference, on every fault planted in it, and on the kata as it was shipped."""
    text = kata.reference.read_text(encoding="utf-8")
    planted = [(f"as if {mutant.fault.line}", mutant.source) for mutant in mutants(text)]
    sources = [(REFERENCE, text), *planted, (SHIPPED, kata.text)]
    return [(line, module(source)) for line, source in sources]


@cache
def answered(kata: Kata, number: int) -> list[Answer]:
    """What each of them answers to one input."""
    return [asks(kata).answer(one, number) for _, one in known(kata)]
