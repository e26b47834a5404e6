"""The debrief: the story of a bug, and two fixes: the reference's and the learner's."""

import ast
import difflib
from collections.abc import Iterator

from checker.kata.catalog import Kata
from checker.kata.source import BadSource, python_lines, read


def debrief(kata: Kata) -> Iterator[str]:
    """The story, the reference's fix, the learner's fix, and the public reports."""
    reference = kata.reference.read_text(encoding="utf-8")
    yield from (ast.get_docstring(ast.parse(reference)) or "").splitlines()
    yield ""
    yield "The reference's fix"
    yield from _changes(kata.text, reference)
    yield ""
    yield "Your fix"
    yield from _yours(kata, list(_changes(kata.text, reference)))
    yield ""
    yield "Public reports"
    yield from (f"    {source}" for source in kata.sources)


def _yours(kata: Kata, theirs: list[str]) -> Iterator[str]:
    try:
        mine = list(_changes(kata.text, read(kata.file).text))
    except BadSource as error:
        mine = [f"    {error.message}"]
    yield from ["    (the same)"] if mine == theirs else mine


def _changes(before: str, after: str) -> Iterator[str]:
    """The lines of code that differ, with one line of context."""
    lines = difflib.unified_diff(_code(before), _code(after), n=1, lineterm="")
    changed = [line for line in list(lines)[2:] if not line.startswith("@@")]
    yield from (f"    {line}" for line in changed or ["(nothing)"])


def _code(text: str) -> list[str]:
    """The lines below the docstring, or all of them if the text is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return python_lines(text)
    start = tree.body[0].end_lineno or 0 if ast.get_docstring(tree) is not None else 0
    return python_lines(text)[start:]
