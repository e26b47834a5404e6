"""Variants: grouped heads, cross-attention, joined sequences, and initial weights."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import last_name, match, rule
from checker.faults.planting import Fault, Rewrite, replace

FAMILY: Final = "variants"


def _join(*templates: str) -> Rewrite:
    """A concatenation of two named arrays, replaced by the templates."""
    replaced = rule(" => ".join(("np.concatenate([_a, _b], *_r)", *templates)))

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        found = match("np.concatenate([_a, _b], *_r)", node)
        if found and last_name(found["_a"]) and last_name(found["_b"]):
            yield from replaced(node)

    return rewrite


def _from_the_other_sequence(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        sources = [source for matrix in ("Wq", "Wk", "Wv") for source in _projected(node, matrix)]
        for source in sources:
            for name in sorted({other.id for other in sources} - {source.id}):
                yield replace(node, (source, ast.Name(name)))


def _projected(function: ast.AST, matrix: str) -> Iterator[ast.Name]:
    """The variables that a function multiplies by a weight matrix."""
    for node in ast.walk(function):
        found = match(f"_x @ {matrix}", node)
        if found and isinstance(found["_x"], ast.Name):
            yield found["_x"]


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "first-group-for-all",
        FAMILY,
        "every query head uses the keys or values of the first group",
        rule("_x.repeat(_n, axis=1) => np.repeat(_x[:, :1], _x.shape[1] * _n, axis=1)"),
    ),
    Fault(
        "from-the-other-sequence",
        FAMILY,
        "queries, keys or values come from the wrong sequence",
        _from_the_other_sequence,
    ),
    Fault(
        "query-count-for-key-count",
        FAMILY,
        "a size of the queries is used instead of the size of the keys",
        rule("k.shape[_i] => q.shape[_i]"),
    ),
    Fault(
        "joined-in-another-order",
        FAMILY,
        "two arrays are concatenated in the wrong order",
        _join("np.concatenate([_b, _a], *_r)"),
    ),
    Fault(
        "only-one-joined",
        FAMILY,
        "only one of two arrays is kept instead of both concatenated",
        _join("_a", "_b"),
    ),
    Fault(
        "initial-weights-of-another-scale",
        FAMILY,
        "the initial weights are far too large or far too small",
        rule("rng.normal(*_r) / np.sqrt(_e) => rng.normal(*_r) => rng.normal(*_r) / _e"),
    ),
)
