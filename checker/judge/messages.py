"""What a student reads about an exception."""

from typing import Final

from checker.errors import NotGraded
from checker.kata.source import BadSource
from checker.kata.verdict import Verdict
from checker.sandbox.host.calls import Lost, Raised

CODE: Final = 60  # characters shown of a line of code
NO_KEYBOARD: Final = "there is no keyboard here; instead, print values or use the command `trace`"
WRITES: Final = "inputs are read-only; do not modify them in place"
ADVICE: Final = {  # by the type of an exception
    "BdbQuit": f"remove breakpoint(): {NO_KEYBOARD}",
    "EOFError": f"remove input(): {NO_KEYBOARD}",
}


def enter(verdict: Verdict, error: Raised | BadSource | Lost | NotGraded) -> None:
    """Enter in the verdict why the file could not be judged."""
    if isinstance(error, NotGraded):
        verdict.reason, verdict.message = "sandbox", str(error)
        return
    verdict.status = "error"
    if isinstance(error, Raised):
        verdict.reason = "syntax-error" if error.syntax[0] else "import-error"
        verdict.message, verdict.excerpt = of_the_file(error), excerpt(error)
    else:
        verdict.reason, verdict.message = error.reason, error.message


def of_the_file(error: Raised) -> str:
    """One line on an exception raised while the file runs."""
    if error.syntax[0]:
        return f"line {error.syntax[0]}: {error.text}"
    allowed = "; only numpy and the standard library can be imported" if error.is_import else ""
    return of_a_call(error) + allowed


def excerpt(error: Raised) -> list[str]:
    """The line of a syntax error, with a caret below."""
    line, offset, code = error.syntax
    if not line or not code:
        return []
    column = len(code[: max(offset - 1, 0)].expandtabs(4))
    return [code.expandtabs(4), " " * column + "^"]


def of_a_call(error: Raised) -> str:
    """One line on an exception, with the student's own line that it came from."""
    advice = WRITES if "read-only" in error.text else ADVICE.get(error.type)
    rule = f" ({advice})" if advice else ""
    if not error.frames:
        return f"{error}{rule}"
    line, code = error.frames[-1]
    shown = code if len(code) <= CODE else f"{code[:CODE]}..."
    return f"line {line}, {shown}: {error}{rule}"


def with_notes(text: str, error: Exception) -> str:
    """The text, with what the invariant has noted about the call."""
    return " ".join([text, *(f"({note})" for note in getattr(error, "__notes__", []))])
