"""Planting: find every place where a fault applies, and write the file that has it there."""

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

Rewrite = Callable[[ast.AST], Iterator[ast.AST]]


@dataclass(frozen=True)
class Fault:
    """One named way to be wrong. `line` says what the result now is, never how the code looks."""

    id: str
    family: str
    line: str
    rewrite: Rewrite = field(repr=False, compare=False)  # a node to its faulty replacements


@dataclass(frozen=True)
class Mutant:
    """A file with one fault in it. `line` is where it lies in the file that it was planted in."""

    fault: Fault
    number: int  # which place and replacement of this fault, from 0
    line: int
    source: str  # the whole file, without the module's docstring

    @property
    def name(self) -> str:
        """The fault's id and the number, such as `softmax-over-queries-0`."""
        return f"{self.fault.id}-{self.number}"


REGISTERED: Final[list[Fault]] = []


def fault(name: str, family: str, line: str) -> Callable[[Rewrite], Rewrite]:
    """Register a rewrite as a fault. Raises `ValueError` on an id that is taken."""
    if any(name == other.id for other in REGISTERED):
        raise ValueError(f"two faults are called {name}: give one another id")

    def register(rewrite: Rewrite) -> Rewrite:
        REGISTERED.append(Fault(name, family, line, rewrite))
        return rewrite

    return register


def plant(source: str, faults: Iterable[Fault]) -> Iterator[Mutant]:
    """Each fault at each place, without those equal to `source` or to an earlier one."""
    tree = _without_docstring(ast.parse(source))
    every = list(places(tree))
    seen = {ast.dump(ast.parse(ast.unparse(tree)))}
    for each in faults:
        for number, (node, faulty) in enumerate(_replacements(every, each.rewrite)):
            changed = ast.fix_missing_locations(replaced(tree, {id(node): faulty}))
            text = ast.unparse(changed) + "\n"
            known = ast.dump(ast.parse(text))
            if known not in seen:
                seen.add(known)
                yield Mutant(each, number, _line(node, faulty), text)


def places(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, in the order of the text; docstrings are no place."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not _is_text(child) and not isinstance(child, (ast.expr_context, ast.operator)):
            yield from places(child)


def everywhere(node: ast.AST, change: Callable[[ast.AST], ast.AST | None]) -> ast.AST:
    """A copy in which `change` has replaced every node for which it gave another one."""
    changed = {id(place): other for place in places(node) if (other := change(place)) is not None}
    return replaced(node, changed)


def replaced(node: ast.AST, changed: dict[int, ast.AST]) -> ast.AST:
    """A copy of the tree with other nodes in the place of those of these identities."""
    if id(node) in changed:
        return changed[id(node)]
    other = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(other, name, [_part(each, changed) for each in value])
        elif isinstance(value, ast.AST):
            setattr(other, name, replaced(value, changed))
    return other


def _part(part: object, changed: dict[int, ast.AST]) -> object:
    return replaced(part, changed) if isinstance(part, ast.AST) else part


def _replacements(every: list[ast.AST], rewrite: Rewrite) -> Iterator[tuple[ast.AST, ast.AST]]:
    for node in every:
        for faulty in rewrite(node):
            yield node, faulty


def _without_docstring(tree: ast.Module) -> ast.Module:
    if tree.body and _is_text(tree.body[0]):
        del tree.body[0]
    return tree


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is nothing but a text, as a docstring is."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _line(node: ast.AST, faulty: ast.AST) -> int:
    """The line of the first statement that is no longer what it was, or of the place itself."""
    if isinstance(node, (ast.Module, ast.FunctionDef)) and isinstance(faulty, type(node)):
        for old, new in zip(node.body, faulty.body, strict=False):
            if ast.dump(old) != ast.dump(new):
                return _line(old, new)
    return int(getattr(node, "lineno", 1))
