"""What a student is told of an exception."""

from typing import Final

from checker.kata.source import Refused
from checker.kata.verdict import Verdict
from checker.sandbox.host.session import Lost, Raised

CODE: Final = 60  # characters that are shown of a line of code


def enter(verdict: Verdict, error: Raised | Refused | Lost) -> None:
    """Say in the verdict why the file could not be judged."""
    verdict.status = "error"
    if isinstance(error, Raised):
        verdict.reason = "syntax-error" if error.syntax[0] else "import-error"
        verdict.message, verdict.excerpt = of_the_file(error), excerpt(error)
    else:
        verdict.reason, verdict.message = error.reason, error.message


def of_the_file(error: Raised) -> str:
    """One line of an exception while the file is run."""
    if error.syntax[0]:
        return f"line {error.syntax[0]}: {error.text}"
    allowed = "; a kata may import numpy and the standard library" if error.is_import else ""
    return of_a_call(error) + allowed


def excerpt(error: Raised) -> list[str]:
    """The line of a syntax error, and a caret below it."""
    line, offset, code = error.syntax
    if not line or not code:
        return []
    column = len(code[: max(offset - 1, 0)].expandtabs(4))
    return [code.expandtabs(4), " " * column + "^"]


def of_a_call(error: Raised) -> str:
    """One line of an exception, behind the line of the student's own that it came from."""
    promise = " (inputs are to be left as they are)" if "read-only" in error.text else ""
    if not error.frames:
        return f"{error}{promise}"
    line, code = error.frames[-1]
    shown = code if len(code) <= CODE else f"{code[:CODE]}..."
    return f"line {line}, {shown}: {error}{promise}"
