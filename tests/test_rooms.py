"""The layout of `checker/`: which rooms may import which, and that names are unique."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import ROOT

PACKAGE = ROOT / "checker"
BASE = {"errors", "files", "plain", "version"}  # modules at the root that anything trusted may use
MAY_IMPORT = {  # each room, and the rooms it may import; in dependency order
    "errors": set(),
    "files": set(),
    "plain": set(),
    "version": set(),
    "sandbox": set(),  # wire and linux, shared by both sides
    "sandbox.guest": {"sandbox"},
    "judging": set(),
    "invariants": {"judging"},
    "domains": {"judging"},
    "faults": set(),
    "kata": BASE,
    "sandbox.host": {*BASE, "sandbox"},
    "judge": {*BASE, "kata", "judging", "faults", "sandbox", "sandbox.host"},
    "reports": {*BASE, "kata"},
    "learner": {
        *BASE, "kata", "judging", "judge", "reports", "sandbox", "sandbox.guest", "sandbox.host",
    },
    "demos": set(),
    "proof": {*BASE, "kata", "judging", "judge", "faults", "sandbox.host"},
    "classroom": {*BASE, "kata", "judge", "reports", "sandbox"},
    "commands": {
        *BASE, "kata", "judge", "reports", "learner", "demos", "proof", "classroom",
        "sandbox.host",
    },
    "cli": {*BASE, "kata", "commands"},
    "__init__": {"version", "learner"},
    "__main__": {"cli"},
}  # fmt: skip


def room(module: str) -> str:
    """The room of a module of the checker, such as `sandbox.host` or `cli`."""
    parts = module.split(".")[1:] or ["__init__"]
    inner = ".".join(parts[:2])
    return inner if inner in MAY_IMPORT else parts[0]


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the checker by its dotted name, with its syntax tree."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if "platforms" not in file.parts:  # scripts that run on their own
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield name, ast.parse(file.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules of the checker that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("checker"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("checker"):
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                path = ROOT / inner.replace(".", "/")
                is_module = path.is_dir() or path.with_suffix(".py").is_file()
                yield inner if is_module else str(node.module)


def test_every_room_has_rules() -> None:
    assert {room(name) for name, _ in modules()} <= MAY_IMPORT.keys()


def test_rooms_import_only_what_they_may() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, tree in modules()
        for other in imported(tree)
        if room(other) != room(name) and room(other) not in MAY_IMPORT[room(name)]
    ]
    assert wrong == []


def test_no_import_points_up() -> None:
    order = list(MAY_IMPORT)
    up = [(r, o) for r, others in MAY_IMPORT.items() for o in others
          if r != "__init__" and order.index(o) > order.index(r)]  # fmt: skip
    assert up == []


def test_the_guest_imports_nothing_trusted() -> None:
    guests = {o for n, tree in modules() if room(n) == "sandbox.guest" for o in imported(tree)}
    assert {room(name) for name in guests} == {"sandbox", "sandbox.guest"}


def defined_classes() -> Counter[str]:
    return Counter(
        node.name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )


def test_no_two_classes_share_a_name() -> None:
    assert [name for name, count in defined_classes().items() if count > 1] == []


def test_no_two_modules_share_a_name() -> None:
    stems = Counter(
        name.rpartition(".")[2]
        for name, _ in modules()
        if room(name) not in ("commands", "invariants", "domains")  # named for what they serve
    )
    assert [name for name, count in stems.items() if count > 1] == []


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_a_module_has_at_most_300_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 300


def test_a_function_has_at_most_40_lines() -> None:
    long = [
        f"{name}.{node.name}"
        for name, tree in modules()
        if room(name) not in ("invariants", "domains")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node) > 40
    ]
    assert long == []


def docstring_lines(node: ast.FunctionDef) -> int:
    return len((ast.get_docstring(node) or "").splitlines())
