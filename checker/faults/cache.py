"""Caches: what is kept from call to call, and what is written where it should not be."""

import ast
import copy
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from checker.faults.patterns import called, made, match, parameters, rule
from checker.faults.planting import Rewrite, fault, replaced

FAMILY: Final = "cache"
KEPT: Final = (  # what one call computes and the next may need otherwise
    "np.sqrt(_x)",
    "_x.shape[_i] ** -0.5",
    "np.tril(*_r)",
    "np.triu(*_r)",
    "np.where(_k, 0.0, -np.inf)",
    "_i[:, None] >= _j",
    "_j <= _i[:, None]",
    "np.arange(*_r)",
)


@fault("first-call-kept", FAMILY, "later calls are answered with what the first one needed")
def _kept(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr) and any(match(each, node) for each in KEPT):
        yield made("globals().setdefault('first', _x)", x=node)


def _joined(template: str) -> Rewrite:
    """Two named parts joined to one another, as the past and the present are."""
    rules = [
        rule(f"np.concatenate([_a, _b]) => {template.format('')}"),
        rule(f"np.concatenate([_a, _b], axis=_i) => {template.format(', axis=_i')}"),
    ]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        found = match("np.concatenate([_a, _b], *_r)", node)
        if found and called(found["_a"]) and called(found["_b"]):
            for each in rules:
                yield from each(node)

    return rewrite


fault("past-behind-present", FAMILY, "what came before stands behind what comes now")(
    _joined("np.concatenate([_b, _a]{0})")
)
fault("past-or-present-lost", FAMILY, "of the past and the present only one is read")(
    _joined("_a => _b")
)

AROUND: Final = (("", ""), (":, ", ""), ("..., ", ", :"), (":, :, ", ""))
LENGTHS: Final = ("n", "length", "used", "filled", "count", "end")
fault("slot-beside", FAMILY, "what is kept is written one slot too far on, or too far back")(
    rule(
        *(
            f"_x[{before}_n:_n + _t{after}] = _v =>"
            f" _x[{before}_n {step} 1:_n + _t {step} 1{after}] = _v"
            for before, after in AROUND
            for step in "+-"
        )
    )
)


def _read(template: str) -> Rewrite:
    """What is read up to a length that is kept."""
    pairs = [(f"_x[{a}:_n{b}]", template.format(f"_x[{a}", f"{b}]")) for a, b in AROUND]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        for before, after in pairs:
            found = match(before, node)
            if found and called(found["_n"]) in LENGTHS and _loaded(node):
                yield from rule(f"{before} => {after}")(node)

    return rewrite


def _loaded(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


fault("read-range-moved", FAMILY, "one slot too many is read, or one too few")(
    _read("{0}:_n + 1{1} => {0}:_n - 1{1}")
)
fault("read-to-the-end", FAMILY, "slots are read that nothing has been written to")(
    _read("{0}:{1}")
)
fault("first-slot-lost", FAMILY, "the first slot is not read")(_read("{0}1:_n{1}"))


@fault("length-not-kept", FAMILY, "every call writes over what the one before has written")
def _forgotten(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        yield ast.Pass()


@fault("length-too-soon", FAMILY, "the length grows before its slots are filled, or after reading")
def _too_soon(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        for first, second in pairwise(node.body):
            for each in (first, second):
                if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Attribute):
                    yield replaced(node, {id(first): second, id(second): first})


fault(
    "ring-not-unrolled", FAMILY, "slots are read in the order in which they lie, not were filled"
)(rule("np.roll(_x, *_r) => _x", "(_s + np.arange(_w)) % _w => np.arange(_w)"))
fault("ring-unrolled-backwards", FAMILY, "slots are turned the wrong way before they are read")(
    rule("np.roll(_x, -_n, *_r) => np.roll(_x, _n, *_r)")
)
fault("copy-dropped", FAMILY, "what is handed out or kept changes under its holder's hands")(
    rule("_x.copy() => _x", "np.array(_x) => np.asarray(_x)")
)


@fault("reset-without-effect", FAMILY, "what one sequence left is read by the next")
def _reset(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and node.name in ("reset", "clear"):
        other = copy.copy(node)
        other.body = [ast.Pass()]
        yield other


@fault("written-into-the-input", FAMILY, "the caller's own array is changed")
def _in_place(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        given = parameters(node)
        for statement in ast.walk(node):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
                target, value = statement.targets[0], statement.value
                if ast.unparse(target) == ast.unparse(value.left) in given:
                    changed = ast.AugAssign(target, value.op, value.right)  # type: ignore[arg-type]
                    yield replaced(node, {id(statement): changed})
