"""Patterns: code with wildcards, to find what a fault changes and to write what it makes of it.

In a pattern a name with a leading underscore stands for any expression, the same name twice for
the same expression, and a starred one in a call for all other arguments. One spelling stands for
all: `np.max(x, -1)` is found by `_x.max(axis=-1)`, `np.matmul(q, k.T)` by
`_q @ _k.swapaxes(-1, -2)`.
"""

import ast
import copy
from collections.abc import Iterator
from functools import cache
from typing import Final

from checker.faults.planting import Rewrite

Found = dict[str, ast.expr]

MODULES: Final = ("np", "numpy", "math")
REDUCTIONS: Final = ("max", "min", "sum", "mean", "var", "std", "any", "all", "cumsum")
METHODS: Final = (*REDUCTIONS, "swapaxes", "transpose", "reshape", "repeat", "copy")
SPREAD: Final = ("reshape", "transpose")  # their one tuple is several arguments
IGNORED: Final = ("ctx", "kind", "type_comment")


def rule(*rules: str) -> Rewrite:
    """A rewrite from lines such as `"_a & _b => _a | _b"`; `=>` again adds a replacement."""
    known = [[parsed(part) for part in line.split("=>")] for line in rules]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        for pattern, *templates in known:
            found = fits(pattern, node)
            if found is not None:
                yield from (filled(template, found) for template in templates)

    return rewrite


def match(pattern: str, node: ast.AST) -> Found | None:
    """What the wildcards stand for, or None where the node is of another form."""
    return fits(parsed(pattern), node)


def like(pattern: str, node: ast.AST) -> bool:
    """Whether a node is of a form; for a pattern without wildcards, of which nothing is found."""
    return match(pattern, node) is not None


def made(template: str, found: Found | None = None, /, **more: ast.AST) -> ast.expr:
    """The expression of a template, each wildcard filled in; `more` is without underscores."""
    named = {f"_{name}": node for name, node in more.items() if isinstance(node, ast.expr)}
    tree = filled(parsed(template), {**(found or {}), **named})
    assert isinstance(tree, ast.expr), template
    return tree


@cache
def parsed(text: str) -> ast.AST:
    """The one expression or statement in a text; not to be changed, for others hold it too."""
    statement = ast.parse(text.strip()).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def fits(pattern: ast.AST, node: ast.AST) -> Found | None:
    """As `match`, for a pattern that has been parsed."""
    found: Found = {}
    return found if _same(pattern, node, found) else None


def filled(template: ast.AST, found: Found) -> ast.AST:
    """A copy of a template with its wildcards filled in."""
    tree: ast.AST = _Fill(found).visit(copy.deepcopy(template))
    return tree


def names(node: ast.AST) -> set[str]:
    """All names below a node, and the attributes."""
    below = list(ast.walk(node))
    attributes = {each.attr for each in below if isinstance(each, ast.Attribute)}
    return attributes | {each.id for each in below if isinstance(each, ast.Name)}


def called(function: ast.AST) -> str:
    """The last name of what is called, such as `softmax` of `model.softmax`; or nothing."""
    return getattr(function, "attr", getattr(function, "id", ""))


def parameters(function: ast.FunctionDef) -> set[str]:
    """The names of a function's arguments."""
    given = function.args
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def _wildcard(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) and node.id.startswith("_") else None


def _same(pattern: object, node: object, found: Found) -> bool:
    if isinstance(pattern, list) and isinstance(node, list):
        return len(pattern) == len(node) and all(
            _same(a, b, found) for a, b in zip(pattern, node, strict=True)
        )
    if not isinstance(pattern, ast.AST) or not isinstance(node, ast.AST):
        return type(pattern) is type(node) and pattern == node
    name = _wildcard(pattern)
    if name is not None:
        return _bound(name, node, found)
    return _alike(canonical(pattern), canonical(node), found)


def _alike(pattern: ast.AST, node: ast.AST, found: Found) -> bool:
    if isinstance(pattern, ast.Call) and isinstance(node, ast.Call):
        return _called_alike(pattern, node, found)
    return type(pattern) is type(node) and all(
        _same(getattr(pattern, each, None), getattr(node, each, None), found)
        for each in pattern._fields
        if each not in IGNORED
    )


def _called_alike(pattern: ast.Call, node: ast.Call, found: Found) -> bool:
    args, rest = _arguments(pattern)
    asked = {each.arg: each.value for each in pattern.keywords}
    given = {each.arg: each.value for each in node.keywords}
    if len(args) > len(node.args) or not asked.keys() <= given.keys():
        return False
    others = [each for each in node.keywords if each.arg not in asked]
    if rest:
        found[rest] = ast.Call(ast.Name("_"), node.args[len(args) :], others)
    elif others or len(args) < len(node.args):
        return False
    pairs = [*zip(args, node.args, strict=False), *((asked[key], given[key]) for key in asked)]
    return _same(pattern.func, node.func, found) and all(_same(a, b, found) for a, b in pairs)


def _arguments(call: ast.Call) -> tuple[list[ast.expr], str | None]:
    """The arguments before the starred wildcard, and its name."""
    plain = [each for each in call.args if not isinstance(each, ast.Starred)]
    starred = [_wildcard(each.value) for each in call.args if isinstance(each, ast.Starred)]
    return (plain, starred[0]) if starred and starred[0] else (call.args, None)


def _bound(name: str, node: ast.AST, found: Found) -> bool:
    if not isinstance(node, ast.expr) or (isinstance(node, ast.Name) and node.id in MODULES):
        return False
    known = found.setdefault(name, node)
    return known is node or ast.unparse(known) == ast.unparse(node)


class _Fill(ast.NodeTransformer):
    """Puts what was found in the place of the wildcards."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy.deepcopy(self.found.get(node.id, node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        args, rest = _arguments(node)
        others = self.found.get(rest) if rest else None
        if isinstance(others, ast.Call):
            node.args = [*args, *copy.deepcopy(others.args)]
            node.keywords = [*node.keywords, *copy.deepcopy(others.keywords)]
        return self.generic_visit(node)


def canonical(node: ast.AST) -> ast.AST:
    """The one spelling by which the several ways to write a thing are found."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return _method(node.value, "swapaxes", [parsed("-1"), parsed("-2")], [])
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return node
    module = isinstance(node.func.value, ast.Name) and node.func.value.id in MODULES
    if module and node.args and not isinstance(node.args[0], ast.Starred):
        return _function(node.func.attr, node)
    return node if module else _tidy(node.func.value, node.func.attr, node.args, node.keywords)


def _function(name: str, node: ast.Call) -> ast.AST:
    """A call of numpy: as an operator or a method where there is one."""
    name = name.removeprefix("a") if name in ("amax", "amin") else name
    first, *others = node.args
    if name == "matmul" and len(others) == 1:
        return ast.BinOp(first, ast.MatMult(), others[0])
    if name == "sqrt":
        return ast.Call(_numpy(name), node.args, node.keywords)
    if name in METHODS:
        return _tidy(first, name, others, node.keywords)
    if name in ("concatenate", "stack"):
        parts = ast.List(first.elts) if isinstance(first, ast.Tuple) else first
        others, keywords = _axis(others, node.keywords)
        return ast.Call(_numpy(name), [parts, *others], keywords)
    return node


def _numpy(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("np"), name)


def _tidy(base: ast.expr, name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.Call:
    """A method's call with its axis by name and its shape as several arguments."""
    if name in REDUCTIONS:
        args, keywords = _axis(args, keywords)
    if name in SPREAD and len(args) == 1 and isinstance(args[0], ast.Tuple):
        args = args[0].elts
    if name == "repeat" and len(args) == 2 and not isinstance(args[1], ast.Starred):
        args, keywords = args[:1], [ast.keyword("axis", args[1]), *keywords]
    return _method(base, name, args, keywords)


def _axis(
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
