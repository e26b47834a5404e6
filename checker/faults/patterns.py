"""Patterns: code with wildcards, to match what a fault changes and to write the replacement.

In a pattern, a name with a leading underscore matches any expression; the same name twice matches
the same expression twice; a starred name in a call matches all remaining arguments. Equivalent
spellings match each other: `_x.max(axis=-1)` also matches `np.max(x, -1)`, and
`_q @ _k.swapaxes(-1, -2)` also matches `np.matmul(q, k.mT)`, and `_x.swapaxes(1, 2)` also matches
`x.transpose(0, 2, 1, 3)`.
"""

import ast
import copy
from collections.abc import Iterator
from functools import cache
from typing import Final

from checker.faults.planting import Rewrite

Bindings = dict[str, ast.expr]
"""What each wildcard of a pattern matched, by name with the underscore."""

MODULES: Final = ("np", "numpy", "math")
REDUCTIONS: Final = ("max", "min", "sum", "mean", "any")
METHODS: Final = (*REDUCTIONS, "swapaxes", "transpose", "reshape", "repeat")
TAKES_TUPLE: Final = ("reshape", "transpose")  # one tuple means the same as several arguments
IGNORED_FIELDS: Final = ("ctx", "kind", "type_comment")


def rule(*rules: str) -> Rewrite:
    """A rewrite from lines such as `"_a & _b => _a | _b"`; a further `=>` adds a replacement."""
    parsed = [[_parse(part) for part in line.split("=>")] for line in rules]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        for pattern, *templates in parsed:
            found = _match(pattern, node)
            if found is not None:
                yield from (_fill(template, found) for template in templates)

    return rewrite


def match(pattern: str, node: ast.AST) -> Bindings | None:
    """The expressions that the wildcards match, or None if the node does not match."""
    return _match(_parse(pattern), node)


def matches(pattern: str, node: ast.AST) -> bool:
    """Whether the node matches. Use it for patterns without wildcards: their bindings are empty."""
    return match(pattern, node) is not None


def build(template: str, bindings: Bindings | None = None, /, **more: ast.AST) -> ast.expr:
    """The template's expression with its wildcards filled in; `more` adds `_x` as `x=…`."""
    named = {f"_{name}": node for name, node in more.items() if isinstance(node, ast.expr)}
    tree = _fill(_parse(template), {**(bindings or {}), **named})
    assert isinstance(tree, ast.expr), template
    return tree


def names(node: ast.AST) -> set[str]:
    """All names and attribute names in the tree below a node."""
    nodes = list(ast.walk(node))
    attributes = {each.attr for each in nodes if isinstance(each, ast.Attribute)}
    return attributes | {each.id for each in nodes if isinstance(each, ast.Name)}


def last_name(node: ast.AST) -> str:
    """The last part of a dotted name, such as `softmax` in `model.softmax`, else an empty text."""
    return getattr(node, "attr", getattr(node, "id", ""))


def parameters(function: ast.FunctionDef) -> set[str]:
    """The names of a function's parameters."""
    args = function.args
    return {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)}


@cache
def _parse(text: str) -> ast.AST:
    """The single expression or statement in a text. Do not modify it: the result is cached."""
    statement = ast.parse(text.strip()).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _match(pattern: ast.AST, node: ast.AST) -> Bindings | None:
    bindings: Bindings = {}
    return bindings if _same(pattern, node, bindings) else None


def _fill(template: ast.AST, bindings: Bindings) -> ast.AST:
    """A copy of the template with its wildcards filled in."""
    tree: ast.AST = _Filler(bindings).visit(copy.deepcopy(template))
    return tree


def _wildcard(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) and node.id.startswith("_") else None


def _same(pattern: object, node: object, bindings: Bindings) -> bool:
    if isinstance(pattern, list) and isinstance(node, list):
        return len(pattern) == len(node) and all(
            _same(a, b, bindings) for a, b in zip(pattern, node, strict=True)
        )
    if not isinstance(pattern, ast.AST) or not isinstance(node, ast.AST):
        return type(pattern) is type(node) and pattern == node
    name = _wildcard(pattern)
    if name is not None:
        return _bind(name, node, bindings)
    return _same_node(canonical(pattern), canonical(node), bindings)


def _same_node(pattern: ast.AST, node: ast.AST, bindings: Bindings) -> bool:
    if isinstance(pattern, ast.Call) and isinstance(node, ast.Call):
        return _same_call(pattern, node, bindings)
    return type(pattern) is type(node) and all(
        _same(getattr(pattern, name, None), getattr(node, name, None), bindings)
        for name in pattern._fields
        if name not in IGNORED_FIELDS
    )


def _same_call(pattern: ast.Call, node: ast.Call, bindings: Bindings) -> bool:
    args, rest = _split_arguments(pattern)
    wanted = {each.arg: each.value for each in pattern.keywords}
    given = {each.arg: each.value for each in node.keywords}
    if len(args) > len(node.args) or not wanted.keys() <= given.keys():
        return False
    remaining = [each for each in node.keywords if each.arg not in wanted]
    if rest:
        bindings[rest] = ast.Call(ast.Name("_"), node.args[len(args) :], remaining)
    elif remaining or len(args) < len(node.args):
        return False
    pairs = [*zip(args, node.args, strict=False), *((wanted[key], given[key]) for key in wanted)]
    return _same(pattern.func, node.func, bindings) and all(_same(a, b, bindings) for a, b in pairs)


def _split_arguments(call: ast.Call) -> tuple[list[ast.expr], str | None]:
    """The arguments before the starred wildcard, and the wildcard's name."""
    plain = [each for each in call.args if not isinstance(each, ast.Starred)]
    starred = [_wildcard(each.value) for each in call.args if isinstance(each, ast.Starred)]
    return (plain, starred[0]) if starred and starred[0] else (call.args, None)


def _bind(name: str, node: ast.AST, bindings: Bindings) -> bool:
    """Bind a wildcard to an expression; False if it is already bound to a different one."""
    if not isinstance(node, ast.expr) or (isinstance(node, ast.Name) and node.id in MODULES):
        return False
    bound = bindings.setdefault(name, node)
    return bound is node or ast.unparse(bound) == ast.unparse(node)


class _Filler(ast.NodeTransformer):
    """Replaces wildcards by the expressions bound to them."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy.deepcopy(self.bindings.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        args, rest = _split_arguments(node)
        remaining = self.bindings.get(rest) if rest else None
        if isinstance(remaining, ast.Call):
            node.args = [*args, *copy.deepcopy(remaining.args)]
            node.keywords = [*node.keywords, *copy.deepcopy(remaining.keywords)]
        return self.generic_visit(node)


def canonical(node: ast.AST) -> ast.AST:
    """The node in the one spelling that stands for all equivalent ones."""
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return _method(node.value, "swapaxes", [_parse("-1"), _parse("-2")], [])
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return node
    of_module = isinstance(node.func.value, ast.Name) and node.func.value.id in MODULES
    if of_module and node.args and not isinstance(node.args[0], ast.Starred):
        return _canonical_function(node.func.attr, node)
    if of_module:
        return node
    return _canonical_method(node.func.value, node.func.attr, node.args, node.keywords)


def _canonical_function(name: str, node: ast.Call) -> ast.AST:
    """A call of a numpy function, as an operator or a method where one exists."""
    name = name.removeprefix("a") if name in ("amax", "amin") else name
    first, *others = node.args
    if name == "matmul" and len(others) == 1:
        return ast.BinOp(first, ast.MatMult(), others[0])
    if name == "sqrt":
        return ast.Call(_numpy(name), node.args, node.keywords)
    if name in METHODS:
        return _canonical_method(first, name, others, node.keywords)
    if name == "concatenate":
        parts = ast.List(first.elts) if isinstance(first, ast.Tuple) else first
        others, keywords = _axis_as_keyword(others, node.keywords)
        return ast.Call(_numpy(name), [parts, *others], keywords)
    return node


def _numpy(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("np"), name)


def _canonical_method(
    base: ast.expr, name: str, args: list[ast.expr], keywords: list[ast.keyword]
) -> ast.Call:
    """A method call with the axis as a keyword and a shape as several arguments."""
    if name in REDUCTIONS:
        args, keywords = _axis_as_keyword(args, keywords)
    if name in TAKES_TUPLE and len(args) == 1 and isinstance(args[0], ast.Tuple):
        args = args[0].elts
    if name == "transpose" and [ast.unparse(each) for each in args] == ["0", "2", "1", "3"]:
        return _method(base, "swapaxes", [_parse("1"), _parse("2")], [])
    if name == "repeat" and len(args) == 2 and not isinstance(args[1], ast.Starred):
        args, keywords = args[:1], [ast.keyword("axis", args[1]), *keywords]
    return _method(base, name, args, keywords)


def _axis_as_keyword(
    args: list[ast.expr], keywords: list[ast.keyword]
) -> tuple[list[ast.expr], list[ast.keyword]]:
    if len(args) != 1 or isinstance(args[0], ast.Starred):
        return args, keywords
    return [], [ast.keyword("axis", args[0]), *keywords]


def _method(
    base: ast.expr, name: str, args: list[ast.expr] | list[ast.AST], keywords: list[ast.keyword]
) -> ast.Call:
    plain = [each for each in args if isinstance(each, ast.expr)]
    return ast.Call(ast.Attribute(base, name), plain, keywords)
