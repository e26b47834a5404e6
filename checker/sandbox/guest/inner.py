"""Instrument a subject's source for a trace, so that parts of an expression are seen too.

Each part `p` becomes `__seen__(p, "p")`, which returns `p` itself: the code computes what it did,
on the same lines.
"""

import ast
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any, Final

SEEN: Final = "__seen__"
TEXT: Final = 60  # characters of a part that are sent
PARTS: Final = ast.Call | ast.BinOp | ast.UnaryOp | ast.Subscript | ast.Compare

See = Callable[[Any, str], Any]


def instrumented(source: str, file: str) -> CodeType:
    """The code of a source with its parts wrapped, or unchanged if they cannot be.

    Raises `SyntaxError` and `ValueError`, as `compile` does.
    """
    code = compile(source, file, "exec", dont_inherit=True)
    with suppress(RecursionError, MemoryError):
        tree = ast.fix_missing_locations(Parts().visit(ast.parse(source, file)))
        code = compile(tree, file, "exec", dont_inherit=True)
    return code


class Parts(ast.NodeTransformer):
    """Wraps what is computed inside an expression; the whole expression has a name already."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Wrap the parts of expressions, and look further inside all else."""
        whole = isinstance(node, ast.Tuple)  # what is returned or unpacked: each has a name
        for field, child in ast.iter_fields(node):
            inside = isinstance(node, ast.expr | ast.keyword) and not whole
            if isinstance(child, list):
                child[:] = [self.seen(each, inside) for each in child]
            elif isinstance(child, ast.AST) and field not in ("annotation", "returns"):
                setattr(node, field, self.seen(child, inside and field != "func"))
        return node

    def seen(self, node: Any, inside: bool) -> Any:
        """The node with its parts wrapped, and wrapped itself if it is a part."""
        if not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr | ast.pattern):
            return node
        wrap = inside and isinstance(node, PARTS) and _computes(node)
        text = ast.unparse(node)[:TEXT] if wrap else ""
        node = self.generic_visit(node)
        if not wrap:
            return node
        call = ast.Call(ast.Name(SEEN, ast.Load()), [node, ast.Constant(text)], [])
        return ast.copy_location(call, node)


def _computes(node: ast.AST) -> bool:
    """Whether a part depends on a variable, and is read."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return bool(names - {"np", "numpy", "super", "range"})
