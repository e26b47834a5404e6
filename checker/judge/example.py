"""The example in a kata's docstring, put to a file: all that can be asked without invariants."""

import ast
import builtins
import doctest
import io
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

import numpy as np

from checker.errors import NotGraded
from checker.judge import messages
from checker.kata.catalog import Kata
from checker.kata.source import Refused, read
from checker.kata.verdict import NO_INVARIANTS, Check, Isolation, Verdict
from checker.sandbox.host.session import Handle, Lost, Raised, Session

SECONDS: Final = 2.0
STATEMENT: Final = "The example in the docstring gives what stands there."


def examples(kata: Kata) -> list[doctest.Example]:
    """The lines of the example, as the kata was shipped."""
    return doctest.DocTestParser().get_examples(kata.text)


def names(kata: Kata, subject: Handle) -> dict[str, Any]:
    """What the example may use: numpy, and whatever it names of the subject."""
    program = ast.parse("".join(example.source for example in examples(kata)))
    used = {node.id for node in ast.walk(program) if isinstance(node, ast.Name)}
    used = {name for name in used if not (name.startswith("_") or hasattr(builtins, name))}
    own = {name: getattr(subject, name) for name in used}
    return {**own, "np": np}


def tried(kata: Kata, path: Path, name: str, isolation: str = "auto") -> Verdict:
    """What came of the example, with no points to earn: `not-graded` though it hold.

    Nothing that is in the file raises.
    """
    verdict = Verdict(kata.name, kata.title, name, None, "not-graded", max_score=0)
    started = time.monotonic()
    try:
        source = read(path)
        verdict.sha256 = source.sha256
        _try(kata, verdict, source.text, Session(isolation))
    except (Raised, Refused, Lost) as error:
        messages.enter(verdict, error)
    except NotGraded as error:
        verdict.reason, verdict.message = "sandbox", str(error)
    verdict.duration_ms = round(1000 * (time.monotonic() - started))
    return verdict


def _try(kata: Kata, verdict: Verdict, source: str, session: Session) -> None:
    try:
        with session:
            verdict.isolation = Isolation(session.level, session.layers, session.missing)
            session.allow(SECONDS)
            session.load(verdict.file, source)
            broken = _broken(kata, session.subject)
    finally:
        verdict.stdout = session.printed
    check = Check("example", STATEMENT, status="broken" if broken else "kept", message=broken)
    verdict.checks = [check]
    verdict.reason = NO_INVARIANTS


def _broken(kata: Kata, subject: Handle) -> str | None:
    """The first line of the example that gives something else, and what. Raises `Lost`."""
    known = names(kata, subject)
    for example in examples(kata):
        shown = io.StringIO()
        try:
            with redirect_stdout(shown), np.errstate(all="ignore"):
                exec(compile(example.source, "example", "single"), known)
        except Raised as error:
            return messages.of_a_call(error)
        except Lost:
            raise
        except Exception as error:
            return f"what came back cannot be used ({type(error).__name__}: {error})"
        got = shown.getvalue()
        if not doctest.OutputChecker().check_output(example.want, got, 0):
            return f"{example.source.strip()}\ngot {got.strip()}\nwant {example.want.strip()}"
    return None
