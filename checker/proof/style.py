"""The form of a kata's files: a small difference, a visible symptom, a complete story."""

import ast
import contextlib
import doctest
import io
import re
import runpy
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from checker.kata.catalog import PACKAGE, Kata
from checker.kata.source import fingerprint, read
from checker.proof.copies import changed_lines

KATA_SECTIONS: Final = ("Symptom", "Reproduce", "Contract")
STORY_SECTIONS: Final = ("The fault", "Why it hides", "Seen in", "How to catch it", "In PyTorch")
CATALOG: Final = PACKAGE / "kata" / "catalog.toml"
CHANGED, LINES, FUNCTION = 4, 60, 20  # at most
HINTS: Final = 4
WORDS: Final = 5  # at least, on a public report; the shortest so far has 7
REPORT: Final = r"[\w.-]+/[\w.-]+#\d+"
ENTRY: Final = re.compile(rf" {{4}}({REPORT}(?:, {REPORT})*):(.*)")
FILL_IN: Final = "FILL IN "  # what `new` leaves to be written, to the end of the line or text


def problems(kata: Kata) -> Iterator[str]:
    """What has to change in the files' form."""
    yield from _unwritten(kata)
    yield from _difference(kata)
    yield from _symptom(kata)
    yield from _sections(kata)
    yield from _catalog(kata)
    yield from _story(kata)


def _unwritten(kata: Kata) -> Iterator[str]:
    """What `new` has left to be written, by file and line."""
    for file in (kata.file, kata.reference, kata.invariants, kata.domain, CATALOG):
        table = ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            table = line if file == CATALOG and line.startswith("[") else table
            todo = re.search(rf"{FILL_IN}([^\"]+)", line)
            if todo and table in ("", f"[{kata.name}]"):
                yield f"{_named(file)}, line {number}: fill in {todo[1].strip()}"


def _difference(kata: Kata) -> Iterator[str]:
    """Kata and reference differ in few lines, both are short, and no hint shows the fix."""
    pair = _code(kata.file), _code(kata.reference)
    changed = changed_lines(*pair)
    if not 0 < changed <= CHANGED:
        yield f"kata and reference differ by {changed} lines of code, want 1 to {CHANGED}"
    for file, code in zip((kata.file, kata.reference), pair, strict=True):
        if len(code) > LINES:
            yield f"{_named(file)} has {len(code)} lines of code, want at most {LINES}"
        for node in ast.walk(ast.parse("\n".join(code))):
            if isinstance(node, ast.FunctionDef) and _length(node) > FUNCTION:
                yield f"{node.name} has {_length(node)} lines, want at most {FUNCTION}"
    for line in set(pair[1]) - set(pair[0]):
        if any(line.strip() in hint for hint in kata.hints):
            yield f"a hint contains a line of the reference: {line.strip()}"


def _code(file: Path) -> list[str]:
    """The lines below the docstring that are not blank."""
    text = file.read_text(encoding="utf-8")
    end = ast.parse(text, str(file)).body[0].end_lineno or 0
    return [line for line in text.splitlines()[end:] if line.strip()]


def _length(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _symptom(kata: Kata) -> Iterator[str]:
    """The doctest in the kata's docstring fails on the kata and passes on the reference."""
    if read(kata.file).fingerprint != fingerprint(kata.text):
        return  # an edited file runs only in a worker
    for file, name in ((kata.file, "kata"), (kata.reference, "reference")):
        tried, failed = _doctest(_docstring(kata.file), file)
        if (failed > 0) != (name == "kata"):
            yield f"its doctest {'fails' if failed else 'passes'} on the {name}"
        if not tried:
            yield "it has no doctest"


def _doctest(text: str, file: Path) -> tuple[int, int]:
    """How many examples of a docstring were tried with the names of a file, and how many failed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = runpy.run_path(str(file))
        example = doctest.DocTestParser().get_doctest(text, names, file.stem, str(file), 0)
        runner = doctest.DocTestRunner(verbose=False)
        with contextlib.redirect_stdout(io.StringIO()):
            results = runner.run(example)
    return results.attempted, results.failed


def _sections(kata: Kata) -> Iterator[str]:
    """Both docstrings begin with number and title, and have their sections."""
    for file, sections in ((kata.file, KATA_SECTIONS), (kata.reference, STORY_SECTIONS)):
        lines = _docstring(file).splitlines() or [""]
        if lines[0] != f"Kata {kata.name[-2:]}: {kata.title}.".replace("?.", "?"):
            yield f"{_named(file)} does not begin with its number and title"
        missing = [section for section in sections if section not in lines]
        if missing:
            yield f"{_named(file)} has no section {', '.join(missing)}"


def _catalog(kata: Kata) -> Iterator[str]:
    """The kata builds on earlier ones only; its hints and sources are there."""
    named = re.findall(r"\bkata (\d\d)", kata.know)
    later = [number for number in named if number >= kata.name[-2:]]
    if later:
        yield f"`know` in the catalog names {', '.join(later)}, want earlier katas only"
    if not kata.know:
        yield "`know` in the catalog is empty: say what to know first"
    if len(kata.hints) != HINTS or not all(kata.hints):
        yield f"{len(kata.hints)} hints in the catalog, want {HINTS}"
    yield from _serves(kata)
    if not kata.bug:
        yield "`bug` in the catalog is empty: say what the shipped kata does"
    if kata.common_fix not in [file.stem for file in kata.near_misses]:
        yield f"`common_fix` in the catalog is {kata.common_fix!r}, want the name of a near miss"
    if not kata.sources:
        yield 'no sources in the catalog: add the URL of every report in "Seen in"'


def _serves(kata: Kata) -> Iterator[str]:
    """Each hint names invariants, and targets among them; the last one names all targets."""
    if len(kata.serves) != len(kata.hints):
        yield f"`serves` in the catalog has {len(kata.serves)} lists, want one per hint"
        return
    for number, names in enumerate(kata.serves, 1):
        if unknown := [name for name in names if name not in kata.roles]:
            yield f"hint {number} serves {', '.join(unknown)}: there is no such invariant"
        if not set(names) & set(kata.targets):
            yield f"hint {number} serves nothing that the shipped kata breaks: it is never offered"
    if missing := [name for name in kata.targets if name not in kata.serves[-1]]:
        yield f"the last hint does not serve {', '.join(missing)}: nothing is left after it"


def _story(kata: Kata) -> Iterator[str]:
    """ "Seen in" says something about every public report, and names every source."""
    section = _docstring(kata.reference).partition("\nSeen in\n")[2].partition("\n\n")[0]
    told: dict[str, str] = {}
    last = ""
    for line in section.splitlines():
        if entry := ENTRY.match(line):
            last, told[entry[1]] = entry[1], entry[2]
        elif last:
            told[last] += f" {line.strip()}"
        else:
            yield f'"Seen in" begins without owner/repository#number: {line.strip()}'
    for reports, text in told.items():
        if len(text.split()) < WORDS:
            yield f'"Seen in" says too little about {reports}: write a sentence'
    named = {report for reports in told for report in reports.split(", ")}
    for source in kata.sources:
        owner, repository, _, number = source.rsplit("/", 4)[-4:]
        if f"{owner}/{repository}#{number}" not in named:
            yield f'"Seen in" does not name the source {owner}/{repository}#{number}'


def _named(file: Path) -> str:
    inside = file.is_relative_to(PACKAGE.parent)
    return str(file.relative_to(PACKAGE.parent)) if inside else f"{file.parent.name}/{file.name}"


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"), str(file))) or ""
