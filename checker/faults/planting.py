"""Planting: apply each fault at every place in a file where it fits."""

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

Rewrite = Callable[[ast.AST], Iterator[ast.AST]]
"""Takes a node of the syntax tree and yields faulty replacements for it, often none."""


@dataclass(frozen=True)
class Fault:
    """A named bug. `line` completes "your code behaves as if …": the effect, never the code."""

    id: str
    family: str
    line: str
    rewrite: Rewrite = field(repr=False, compare=False)


@dataclass(frozen=True)
class Mutant:
    """A file with one planted fault. `line` is the number of the changed line in the original."""

    fault: Fault
    number: int  # counts the places and replacements of this fault, from 0
    line: int
    source: str  # the whole file, without the module's docstring

    @property
    def name(self) -> str:
        """The fault's id and the mutant's number, such as `softmax-over-queries-0`."""
        return f"{self.fault.id}-{self.number}"


def plant(source: str, faults: Iterable[Fault]) -> Iterator[Mutant]:
    """Plant each fault at each place; skip mutants equal to `source` or to an earlier mutant."""
    tree = _without_docstring(ast.parse(source))
    nodes = list(walk_code(tree))
    seen = {ast.dump(ast.parse(ast.unparse(tree)))}
    for fault in faults:
        for number, (node, faulty) in enumerate(_replacements(nodes, fault.rewrite)):
            mutant = ast.fix_missing_locations(replace(tree, (node, faulty)))
            text = ast.unparse(mutant) + "\n"
            program = ast.dump(ast.parse(text))
            if program not in seen:
                seen.add(program)
                yield Mutant(fault, number, _changed_line(node, faulty), text)


def walk_code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes below it in source order, without docstrings."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not _is_docstring(child) and not isinstance(child, (ast.expr_context, ast.operator)):
            yield from walk_code(child)


def replace(tree: ast.AST, *pairs: tuple[ast.AST, ast.AST]) -> ast.AST:
    """Return a copy of the tree with nodes replaced, given as pairs of old and new node."""
    return _replaced(tree, {id(old): new for old, new in pairs})


def replace_where(tree: ast.AST, change: Callable[[ast.AST], ast.AST | None]) -> ast.AST:
    """Return a copy of the tree with every node replaced for which `change` returns another."""
    changes = ((node, change(node)) for node in walk_code(tree))
    return replace(tree, *((old, new) for old, new in changes if new is not None))


def _replaced(node: ast.AST, replacements: dict[int, ast.AST]) -> ast.AST:
    if id(node) in replacements:
        return replacements[id(node)]
    result = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(result, name, [_replaced_item(item, replacements) for item in value])
        elif isinstance(value, ast.AST):
            setattr(result, name, _replaced(value, replacements))
    return result


def _replaced_item(item: object, replacements: dict[int, ast.AST]) -> object:
    return _replaced(item, replacements) if isinstance(item, ast.AST) else item


def _replacements(nodes: list[ast.AST], rewrite: Rewrite) -> Iterator[tuple[ast.AST, ast.AST]]:
    for node in nodes:
        for faulty in rewrite(node):
            yield node, faulty


def _without_docstring(tree: ast.Module) -> ast.Module:
    if tree.body and _is_docstring(tree.body[0]):
        del tree.body[0]
    return tree


def _is_docstring(node: ast.AST) -> bool:
    """Whether a statement is just a string."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _changed_line(node: ast.AST, faulty: ast.AST) -> int:
    """The line of the first changed statement in a module or function, else the node's own line."""
    if isinstance(node, (ast.Module, ast.FunctionDef)) and isinstance(faulty, type(node)):
        for old, new in zip(node.body, faulty.body, strict=False):
            if ast.dump(old) != ast.dump(new):
                return _changed_line(old, new)
    return int(getattr(node, "lineno", 1))
