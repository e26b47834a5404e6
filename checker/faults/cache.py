"""Caches: what is kept between calls, and writes that go to the wrong place."""

import ast
import copy
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from checker.faults.patterns import build, last_name, match, matches, parameters, rule
from checker.faults.planting import Fault, Rewrite, replace

FAMILY: Final = "cache"
CACHEABLE: Final = (  # values of one call that a later call may need to be different
    "np.sqrt(_x)",
    "_x.shape[_i] ** -0.5",
    "np.tril(*_r)",
    "np.triu(*_r)",
    "np.where(_k, 0.0, -np.inf)",
    "_i[:, None] >= _j",
    "_j <= _i[:, None]",
    "np.arange(*_r)",
)
AXES: Final = (("", ""), (":, ", ""), ("..., ", ", :"), (":, :, ", ""))  # before and after the slot
LENGTHS: Final = ("n", "length", "used", "filled", "count", "end")


def _first_call_kept(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr) and any(matches(pattern, node) for pattern in CACHEABLE):
        yield build("globals().setdefault('first', _x)", x=node)


def _join(*templates: str) -> Rewrite:
    """A concatenation of two named arrays, such as past and present, replaced by the templates."""
    rules = [
        rule(" => ".join(part.format(axis) for part in ("np.concatenate([_a, _b]{})", *templates)))
        for axis in ("", ", axis=_i")
    ]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        found = match("np.concatenate([_a, _b], *_r)", node)
        if found and last_name(found["_a"]) and last_name(found["_b"]):
            for each in rules:
                yield from each(node)

    return rewrite


def _read_range(*templates: str) -> Rewrite:
    """A read up to the length of the cache, with another range."""
    slices = [
        (f"_x[{before}:_n{after}]", [f"_x[{before}{each}{after}]" for each in templates])
        for before, after in AXES
    ]

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        for pattern, faulty in slices:
            found = match(pattern, node)
            if found and last_name(found["_n"]) in LENGTHS and _is_read(node):
                yield from rule(" => ".join((pattern, *faulty)))(node)

    return rewrite


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _length_not_kept(node: ast.AST) -> Iterator[ast.AST]:
    if _updates_attribute(node):
        yield ast.Pass()


def _length_too_soon(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        for first, second in pairwise(node.body):
            for statement in (first, second):
                if _updates_attribute(statement):
                    yield replace(node, (first, second), (second, first))


def _updates_attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute)


def _reset_without_effect(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and node.name in ("reset", "clear"):
        empty = copy.copy(node)
        empty.body = [ast.Pass()]
        yield empty


def _written_into_the_input(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        inputs = parameters(node)
        for statement in ast.walk(node):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
                target, value = statement.targets[0], statement.value
                if ast.unparse(target) == ast.unparse(value.left) in inputs:
                    in_place = ast.AugAssign(target, value.op, value.right)  # type: ignore[arg-type]
                    yield replace(node, (statement, in_place))


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "first-call-kept",
        FAMILY,
        "later calls reuse a value computed for the first call",
        _first_call_kept,
    ),
    Fault(
        "past-after-present",
        FAMILY,
        "two arrays are concatenated in the wrong order",
        _join("np.concatenate([_b, _a]{})"),
    ),
    Fault(
        "past-or-present-lost",
        FAMILY,
        "only one of two arrays is kept instead of both concatenated",
        _join("_a", "_b"),
    ),
    Fault(
        "slot-shifted",
        FAMILY,
        "new entries are written one slot too early or too late",
        rule(
            *(
                f"_x[{before}_n:_n + _t{after}] = _v =>"
                f" _x[{before}_n {step} 1:_n + _t {step} 1{after}] = _v"
                for before, after in AXES
                for step in "+-"
            )
        ),
    ),
    Fault(
        "read-range-moved",
        FAMILY,
        "one slot too many or one too few is read",
        _read_range(":_n + 1", ":_n - 1"),
    ),
    Fault("read-to-the-end", FAMILY, "unused slots are read too", _read_range(":")),
    Fault("first-slot-lost", FAMILY, "the first slot is not read", _read_range("1:_n")),
    Fault(
        "length-not-kept",
        FAMILY,
        "the cache never gets longer, so each call overwrites the previous one",
        _length_not_kept,
    ),
    Fault(
        "length-too-soon",
        FAMILY,
        "the length grows before the slots are written, or only after they are read",
        _length_too_soon,
    ),
    Fault(
        "ring-not-unrolled",
        FAMILY,
        "slots are read in storage order instead of the order in which they were filled",
        rule("np.roll(_x, *_r) => _x", "(_s + np.arange(_w)) % _w => np.arange(_w)"),
    ),
    Fault(
        "ring-unrolled-backwards",
        FAMILY,
        "the ring buffer is rolled in the wrong direction before it is read",
        rule("np.roll(_x, -_n, *_r) => np.roll(_x, _n, *_r)"),
    ),
    Fault(
        "copy-dropped",
        FAMILY,
        "an array that was stored or returned changes later, because it is not a copy",
        rule("_x.copy() => _x", "np.array(_x) => np.asarray(_x)"),
    ),
    Fault(
        "reset-without-effect",
        FAMILY,
        "a reset does nothing, so the next sequence sees the previous one",
        _reset_without_effect,
    ),
    Fault(
        "written-into-the-input",
        FAMILY,
        "the caller's own array is modified",
        _written_into_the_input,
    ),
)
