"""Grade a file on the example in its kata's docstring alone, where there are no invariants."""

import ast
import builtins
import doctest
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Final

import numpy as np

from checker.errors import NotGraded
from checker.judge import messages
from checker.judge.job import Job
from checker.judge.loading import loaded
from checker.kata.catalog import Kata
from checker.kata.verdict import NO_INVARIANTS, Check, Verdict
from checker.sandbox.host.calls import Handle, Lost, Raised
from checker.sandbox.host.session import Session

STATEMENT: Final = "The example in the docstring gives the values shown there."


def examples(kata: Kata) -> list[doctest.Example]:
    """The lines of the example, in the kata as shipped."""
    return doctest.DocTestParser().get_examples(kata.text)


def names(kata: Kata, subject: Handle) -> dict[str, Any]:
    """The names the example uses: numpy, and functions of the subject."""
    program = ast.parse("".join(example.source for example in examples(kata)))
    used = {node.id for node in ast.walk(program) if isinstance(node, ast.Name)}
    used = {name for name in used if not (name.startswith("_") or hasattr(builtins, name))}
    own = {name: getattr(subject, name) for name in used}
    return {**own, "np": np}


def grade_example(kata: Kata, path: Path, name: str, isolation: str = "auto") -> Verdict:
    """The verdict on the example alone, `not-graded`. Nothing in the file raises."""
    verdict = Verdict(kata.name, kata.title, name, None, "not-graded", max_score=0)
    with loaded(verdict, Job(kata, path).source, lambda: Session(isolation).settle()) as session:
        if session:
            try:
                broken = first_difference(kata, session.subject)
            except (Lost, NotGraded) as error:
                messages.enter(verdict, error)
            else:
                check = Check("example", STATEMENT, status="broken" if broken else "kept")
                check.message = broken
                verdict.checks = [check]
                verdict.reason = NO_INVARIANTS
    return verdict


def first_difference(kata: Kata, subject: Handle) -> str | None:
    """The first line of the example that gives another value, and which.

    Raises `Lost` and `NotGraded`.
    """
    known = names(kata, subject)
    with _plain_display():
        for example in examples(kata):
            shown = io.StringIO()
            try:
                with redirect_stdout(shown), np.errstate(all="ignore"):
                    exec(compile(example.source, "example", "single"), known)
            except Raised as error:
                return messages.of_a_call(error)
            except (Lost, NotGraded):
                raise
            except Exception as error:
                return f"the returned value is unusable ({type(error).__name__}: {error})"
            got = shown.getvalue()
            if not doctest.OutputChecker().check_output(example.want, got, 0):
                return f"{example.source.strip()}\ngot {got.strip()}\nwant {example.want.strip()}"
    return None


@contextmanager
def _plain_display() -> Iterator[None]:
    """Show values as Python does, and not as a notebook, as doctest does too."""
    before, sys.displayhook = sys.displayhook, sys.__displayhook__
    try:
        yield
    finally:
        sys.displayhook = before
