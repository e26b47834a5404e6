"""The scene of a call in a trace: its values so far, and what its code says."""

import ast
import math
import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from checker.learner.steps import Array, CallSeen

ALLOWS: Final = re.compile(r"keep|kept|allow|valid|visible|readable|attend", re.IGNORECASE)
BLOCKS: Final = re.compile(r"block|pad|forbid|hidden|masked_out", re.IGNORECASE)
DRAWS: Final = {"normal", "standard_normal", "uniform", "random"}


class Scene:
    """One call: the arrays and numbers that its names have now, and its statements."""

    def __init__(self, call: CallSeen, tree: ast.Module) -> None:
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.functions = {node.name: node for node in functions}
        self.own = self.functions.get(call.function)
        self.values: dict[str, Array] = {}

    def statement(self, line: int) -> ast.stmt | None:
        """The simple statement that starts on a line."""
        nodes = ast.walk(self.own) if self.own else iter(())
        simple = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr
        return next((n for n in nodes if isinstance(n, simple) and n.lineno == line), None)

    def parts(self, line: int) -> Iterator[ast.AST]:
        """Every node of the statement on a line."""
        statement = self.statement(line)
        yield from ast.walk(statement) if statement else ()

    def names(self, line: int) -> set[str]:
        """The names that a line reads."""
        nodes = self.parts(line)
        return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}

    def draws(self, line: int) -> bool:
        """Whether a line draws random numbers."""
        nodes = self.parts(line)
        return any(isinstance(node, ast.Attribute) and node.attr in DRAWS for node in nodes)

    def allows(self, name: str) -> bool:
        """Whether an array of this name says what may be attended to."""
        return bool(ALLOWS.search(name))

    def masks(self) -> list[tuple[str, Array]]:
        """The masks that are True where a query may attend."""
        found = self.values.items()
        return [(n, v) for n, v in found if v.dtype == bool and v.ndim and self.allows(n)]

    def aligned(self, keep: Array, array: Array) -> Array | None:
        """A mask of keys, or of queries and keys, with the shape of scores; None if unclear."""
        padding = keep.ndim == 2 < array.ndim and keep.shape == (len(array), array.shape[-1])
        if padding:  # (B, Tk)
            keep = keep.reshape(len(keep), *(1,) * (array.ndim - 2), -1)
        pairs = zip(keep.shape, array.shape, strict=False)
        if keep.ndim != array.ndim or not all(size in (1, full) for size, full in pairs):
            return None
        return np.broadcast_to(keep, array.shape)

    def of_the_code(self, line: int) -> Iterator[str]:
        """What is surprising about the statement on a line, with the values it has."""
        for node in self.parts(line):
            if isinstance(node, ast.Call):
                yield from self._reshape(node)
                yield from self._polarity(node)
                yield from _lone_letters(node)

    def _reshape(self, node: ast.Call) -> Iterator[str]:
        """A size that was axis a of an array stays at axis a: reshape moves nothing."""
        match node.func:
            case ast.Attribute(ast.Name(name), "reshape") if name in self.values:
                old = self.values[name].shape
            case _:
                return
        sizes = [self._size(one) for one in node.args]
        for place, one in enumerate(node.args):
            if isinstance(one, ast.Name) and None not in sizes[:place]:
                before = math.prod(size or 1 for size in sizes[:place])
                axis = self._axes(name).get(one.id, -1)
                known = -1 < axis < len(old) and old[axis] == sizes[place] != 1
                if known and before != math.prod(old[:axis]):
                    yield (
                        f"{name} has shape {old}, with {one.id} at axis {axis}: reshape moves "
                        f"no axis, so axis {place} of the result is not {one.id}"
                    )

    def _size(self, node: ast.expr) -> int | None:
        """The size that an argument stands for, if it is a plain number or a name of one."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        known = self.values.get(node.id) if isinstance(node, ast.Name) else None
        return int(known) if known is not None and known.shape == () else None

    def _axes(self, name: str) -> dict[str, int]:
        """The names that this function gives to the sizes of an array: `B, T, D = x.shape`."""
        for node in ast.walk(self.own) if self.own else ():
            match node:
                case ast.Assign([ast.Tuple(names)], ast.Attribute(ast.Name(owner), "shape")):
                    if owner == name:
                        known = [n.id if isinstance(n, ast.Name) else "" for n in names]
                        return {n: axis for axis, n in enumerate(known) if n.strip("_")}
        return {}

    def _polarity(self, node: ast.Call) -> Iterator[str]:
        """What is called blocked is not given where True means that a key may be attended to."""
        called = self.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        for given, wanted in zip(node.args, called.args.args if called else (), strict=False):
            while isinstance(given, ast.Subscript):
                given = given.value
            if isinstance(given, ast.Name):
                name, other = given.id, wanted.arg
                for one, opposite in (ALLOWS, BLOCKS), (BLOCKS, ALLOWS):
                    if one.search(name) and opposite.search(other):
                        yield f"{name} is given as {other}: does True mean the same in both?"


def _lone_letters(node: ast.Call) -> Iterator[str]:
    """Einsum sums over an index of two arrays together, not over one of each alone."""
    match node:
        case ast.Call(ast.Attribute(attr="einsum"), [ast.Constant(str(spec)), _, _, *_]):
            inputs, arrow, output = spec.partition("->")
            letters = [c for c in inputs if c.isalpha() and inputs.count(c) == 1]
            for letter in letters if arrow else ():
                if letter not in output:
                    yield f"einsum sums over {letter} in one array alone, before the product"
