"""What a kata may not copy from another, and how close a near miss stays to its own kata.

Code is compared through its syntax tree, so that layout, comments and docstrings do not count.
"""

import ast
import difflib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from checker.kata import catalog
from checker.kata.catalog import Kata
from checker.proof.cases import alternatives

SHARED: Final = 0.5  # of the invariants, at most; kata 01 shares 4 of 9 with kata 02
FAR: Final = 8  # lines from the kata, its reference or an alternative; measured: 7 at most


def problems(kata: Kata) -> Iterator[str]:
    """Copied lines, invariants and near misses, and near misses that are far from the kata."""
    yield from _revealing_lines(kata)
    yield from _invariants(kata)
    yield from _near_misses(kata)


def _revealing_lines(kata: Kata) -> Iterator[str]:
    """No other kata has the fix, and the fault is not the only line that no other kata has."""
    shipped, fixed = (_lines(_text(file)) for file in (kata.file, kata.reference))
    elsewhere = {
        other.name: {line.strip() for line in _lines(other.text)}
        for other in catalog.katas().values()
        if other != kata
    }
    changes = _changes(shipped, fixed)
    fix = [line.strip() for _, _, start, end in changes for line in fixed[start:end]]
    fault = [line for start, end, _, _ in changes for line in shipped[start:end]]
    for line in fix:
        if names := [name for name, lines in elsewhere.items() if line in lines]:
            yield f"its fix is a line of {', '.join(names)}, write that differently: {line}"
    if not any(
        line.strip() not in set().union(*elsewhere.values())
        for line in set(shipped) - set(fault)
        if not line.startswith("def ")  # which the contract gives
    ):
        yield "only its fault is in no other kata, which shows where it is: vary another line"


def _invariants(kata: Kata) -> Iterator[str]:
    """Katas may share a law, but at least half of a kata's invariants have to be its own."""
    own = _tests(_text(kata.invariants))
    shared = {
        other.name: own & _tests(_text(other.invariants))
        for other in catalog.katas().values()
        if other != kata
    }
    copied = frozenset().union(*shared.values())
    if len(copied) > SHARED * len(own):
        names = ", ".join(name for name, tests in shared.items() if tests)
        told = f"{len(copied)} of {len(own)} invariants are copied from {names}"
        yield f"{told}: write what this kata's own contract promises"


def _near_misses(kata: Kata) -> Iterator[str]:
    files = [file for other in catalog.katas().values() for file in other.near_misses]
    known = {file: _lines(_text(file)) for file in files}
    close = [_lines(_text(file)) for file in (kata.file, kata.reference, *alternatives(kata))]
    for file in kata.near_misses:
        lines = known[file]
        if not lines:  # no Python, which its verdict says
            continue
        for twin in files:
            if twin != file and known[twin] == lines:
                told = f"the near miss {file.name} is a copy of {twin.parent.name}/{twin.name}"
                yield f"{told}: change it"
        if not _is_close(lines, close):
            told = f"the near miss {file.name} differs by more than {FAR} lines from"
            yield f"{told} the kata, the reference and every alternative: start from one of them"


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _tests(source: str) -> frozenset[str]:
    """The tests of a file, as code in which names and texts do not count."""
    return frozenset(
        _nameless(node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and "domain" not in [arg.arg for arg in node.args.args]  # the same line in every kata
    )


def _nameless(function: ast.FunctionDef) -> str:
    """The function's code, each name replaced by the order in which names occur."""
    order: dict[str, str] = {}
    _drop_docstrings(function)
    function.name = "test"
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = order.setdefault(node.id, f"name{len(order)}")
        elif isinstance(node, ast.arg):
            node.arg = order.setdefault(node.arg, f"name{len(order)}")
        elif isinstance(node, ast.JoinedStr):
            node.values = []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(function)


@cache
def _lines(source: str) -> tuple[str, ...]:
    """The lines of code, functions in the order of their names; none where it is not Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    _drop_docstrings(tree)
    tree.body.sort(key=lambda node: getattr(node, "name", ""))
    return tuple(line for line in ast.unparse(tree).splitlines() if line)


def _drop_docstrings(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if ast.get_docstring(node):
                node.body = node.body[1:] or [ast.Pass()]


def _is_close(lines: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    """Whether some other file differs in at most `FAR` lines."""
    return any(changed_lines(lines, other) <= FAR for other in others)


def changed_lines(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines differ; where lines are exchanged for others, the longer side counts."""
    return sum(max(b - a, d - c) for a, b, c, d in _changes(one, other))


def _changes(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where lines differ: from where to where in one, and in the other."""
    opcodes = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [(a, b, c, d) for tag, a, b, c, d in opcodes if tag != "equal"]
