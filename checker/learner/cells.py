"""What a notebook's cells hold: which functions a kata needs, and the source they came from."""

import ast
import inspect
import linecache
import re
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, Final

from checker.kata import catalog

Part = Callable[..., Any]

TITLE: Final = re.compile(r"Kata (\d\d):")  # how the docstring of a kata begins
TOOLS: Final = {"check", "hint", "load", "trace", "get_ipython"}  # a worker has none of them
DEFINITIONS: Final = (ast.FunctionDef, ast.ClassDef)


def needed(kata: catalog.Kata) -> list[str]:
    """The functions and classes of a kata that its contract describes."""
    tree = ast.parse(kata.text)
    contract = (ast.get_docstring(tree) or "").partition("\nContract\n")[2]
    names = [node.name for node in tree.body if isinstance(node, DEFINITIONS)]
    return [name for name in names if re.search(rf"^    (\w+ = )?{name}\(", contract, re.MULTILINE)]


def call(tool: str, kata: catalog.Kata) -> str:
    """How `check` or `trace` is called with all that a kata needs."""
    return f'{tool}("{kata.name}", {", ".join(needed(kata))})'


def assert_from_its_cell(kata: catalog.Kata, parts: Sequence[Part]) -> None:
    """Check that no part was defined by the cell of another kata, which has the same names.

    Raises `ValueError`.
    """
    for part in parts:
        title = TITLE.match(ast.get_docstring(_tree(_cell(part))) or "")
        if title and f"kata{title[1]}" != kata.name:
            raise ValueError(
                f"{part.__name__} is that of kata{title[1]}, which was run last: "
                f"run the cell of {kata.name} again"
            )


def source(parts: Sequence[Part]) -> str:
    """The source of the cells that define these parts, without what only a notebook can run.

    Raises `ValueError` if a part has no source.
    """
    for part in parts:
        if not _cell(part):
            raise ValueError(f"{part.__name__} has no source: define it in a cell")
    return "\n".join(map(_alone, dict.fromkeys(map(_cell, parts))))


def _cell(part: Part) -> str:
    """The text of the cell or file that defines a function or class; empty if it is not known."""
    inside = vars(part).values() if isinstance(part, type) else [inspect.unwrap(part)]
    codes = (getattr(one, "__code__", None) for one in inside)
    files = (code.co_filename for code in codes if isinstance(code, CodeType))
    return "".join(linecache.getlines(next(files, "")))


def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:  # a file that has changed since
        return ast.Module([], [])


def _alone(text: str) -> str:
    """A cell without the lines that show a result or use a tool; the others keep their number."""
    lines = text.splitlines()
    for node in _tree(text).body:
        if not _runs_alone(node):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(lines) + "\n"


def _runs_alone(node: ast.stmt) -> bool:
    """Whether a statement of a cell makes sense outside of the notebook."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.ImportFrom):
        return node.module != "checker"
    used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return isinstance(node, DEFINITIONS) or not used & TOOLS
