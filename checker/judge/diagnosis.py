"""Diagnosis: which known bug a file behaves like, by comparing answers with planted faults."""

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

from checker.faults import mutants
from checker.judge.messages import of_the_file
from checker.judging.domain import Answer, Domain, module
from checker.kata.catalog import Kata
from checker.kata.source import read
from checker.sandbox.host.calls import Lost, Raised
from checker.sandbox.host.session import SECONDS, Session

INPUTS: Final = 24

REFERENCE: Final = "like the reference"
SHIPPED: Final = "like the shipped kata"
UNKNOWN: Final = "like no known bug"


def diagnose(kata: Kata, file: Path, isolation: str = "auto") -> str:
    """What completes "your code behaves …". Raises `BadSource` and `NotGraded`.

    The file runs in a worker; the reference and the faults planted in it are trusted.
    """
    source = read(file)
    with Session(isolation) as session:
        try:
            session.load(file.name, source.text)
        except (Raised, Lost) as error:
            why = of_the_file(error) if isinstance(error, Raised) else error.message
            return f"like no known bug: it does not run ({why})"
        left = list(range(len(known(kata))))
        for number in range(INPUTS):
            answers = known_answers(kata, number)  # before the file's time starts
            session.allow(SECONDS)
            got = domain(kata).answer(session.subject, number)
            left = [i for i in left if not domain(kata).difference(number, got, answers[i])]
            if not left:
                return UNKNOWN
    return known(kata)[left[0]][0]


@cache
def domain(kata: Kata) -> Domain:
    """The kata's domain."""
    return Domain(kata.domain)


@cache
def known(kata: Kata) -> list[tuple[str, ModuleType]]:
    """The reference, every fault planted in it, and the shipped kata, each with its diagnosis."""
    text = kata.reference.read_text(encoding="utf-8")
    planted = [(f"as if {mutant.fault.line}", mutant.source) for mutant in mutants(text)]
    sources = [(REFERENCE, text), *planted, (SHIPPED, kata.text)]
    return [(line, module(source)) for line, source in sources]


@cache
def known_answers(kata: Kata, number: int) -> list[Answer]:
    """What each of them returns for one input."""
    return [domain(kata).answer(one, number) for _, one in known(kata)]
