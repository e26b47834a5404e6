"""The form of a kata's files: twins of few different lines, a symptom that shows, a whole story."""

import ast
import contextlib
import difflib
import doctest
import io
import re
import runpy
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from checker.kata.catalog import Kata
from checker.kata.source import fingerprint, read

KATA_SECTIONS: Final = ("Symptom", "Reproduce", "Contract")
STORY_SECTIONS: Final = ("The fault", "Why it hides", "Seen in", "How to catch it")
CHANGED, LINES, FUNCTION = 4, 60, 20  # at most
HINTS: Final = 3


def problems(kata: Kata) -> Iterator[str]:
    """What is not as it has to be."""
    yield from _twins(kata)
    yield from _symptom(kata)
    yield from _told(kata)


def _twins(kata: Kata) -> Iterator[str]:
    """Kata and reference differ in few lines, and both are short."""
    pair = _code(kata.file), _code(kata.reference)
    changes = difflib.SequenceMatcher(None, pair[0], pair[1], autojunk=False).get_opcodes()
    changed = sum(max(b - a, d - c) for tag, a, b, c, d in changes if tag != "equal")
    if not 0 < changed <= CHANGED:
        yield f"kata and reference differ by {changed} lines of code, want 1 to {CHANGED}"
    for file, code in zip((kata.file, kata.reference), pair, strict=True):
        if len(code) > LINES:
            yield f"{file.parent.name}/{file.name} has {len(code)} lines of code, want {LINES}"
        for node in ast.walk(ast.parse("\n".join(code))):
            if isinstance(node, ast.FunctionDef) and _length(node) > FUNCTION:
                yield f"{node.name} has {_length(node)} lines, want at most {FUNCTION}"
    for line in set(pair[1]) - set(pair[0]):
        if any(line.strip() in hint for hint in kata.hints):
            yield f"a hint holds a line of the reference: {line.strip()}"


def _code(file: Path) -> list[str]:
    """The lines below the docstring that are not blank."""
    text = file.read_text(encoding="utf-8")
    end = ast.parse(text, str(file)).body[0].end_lineno or 0
    return [line for line in text.splitlines()[end:] if line.strip()]


def _length(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _symptom(kata: Kata) -> Iterator[str]:
    """The doctest in the kata's docstring shows the symptom, and is content with the reference."""
    if read(kata.file).fingerprint != fingerprint(kata.text):
        return  # edited: it is not for us to run outside a worker
    for file, name in ((kata.file, "kata"), (kata.reference, "reference")):
        tried, failed = _doctest(_docstring(kata.file), file)
        if (failed > 0) != (name == "kata"):
            yield f"its doctest {'fails' if failed else 'passes'} on the {name}"
        if not tried:
            yield "it has no doctest"


def _doctest(text: str, file: Path) -> tuple[int, int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = runpy.run_path(str(file))
        example = doctest.DocTestParser().get_doctest(text, names, file.stem, str(file), 0)
        runner = doctest.DocTestRunner(verbose=False)
        with contextlib.redirect_stdout(io.StringIO()):
            results = runner.run(example)
    return results.attempted, results.failed


def _told(kata: Kata) -> Iterator[str]:
    """Docstrings have their sections; hints and sources are there, and the story names them."""
    files = (kata.file, KATA_SECTIONS), (kata.reference, STORY_SECTIONS)
    for file, sections in files:
        lines = _docstring(file).splitlines()
        if lines[0] != f"Kata {kata.name[-2:]}: {kata.title}.".replace("?.", "?"):
            yield f"{file.parent.name}/{file.name} does not begin with its number and title"
        missing = [section for section in sections if section not in lines]
        if missing:
            yield f"{file.parent.name}/{file.name} lacks {', '.join(missing)}"
    named = re.findall(r"\bkata (\d\d)", kata.know)
    later = [number for number in named if number >= kata.name[-2:]]
    if later or not kata.know:
        yield f"what to know first is {', '.join(later) or 'not said'}, want katas before it"
    if len(kata.hints) != HINTS or not all(kata.hints):
        yield f"{len(kata.hints)} hints, want {HINTS}"
    if not kata.sources:
        yield "it has no source"
    story = _docstring(kata.reference)
    for source in kata.sources:
        owner, repository, _, number = source.rsplit("/", 4)[-4:]
        if f"{owner}/{repository}#{number}" not in story:
            yield f"the story does not name {owner}/{repository}#{number}"


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"), str(file))) or ""
