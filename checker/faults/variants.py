"""Variants: sliding windows, grouped heads, soft caps, and cross-attention."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from checker.faults.patterns import build, match, matches, rule
from checker.faults.planting import Fault, replace

FAMILY: Final = "variants"


def _cap_after_mask(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.where(_k, _x, -np.inf)", node)
    cap = match("_c * np.tanh(_s / _c)", found["_x"]) if found else None
    if found and cap:
        yield build("_c * np.tanh(np.where(_k, _s, -np.inf) / _c)", {**found, **cap})
    if isinstance(node, ast.FunctionDef):
        for first, second in pairwise(node.body):
            capped = matches("_x = _c * np.tanh(_x / _c)", first)
            if capped and matches("_x = np.where(_k, _x, -np.inf)", second):
                yield replace(node, (first, second), (second, first))


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


def _query_count_for_key_count(node: ast.AST) -> Iterator[ast.AST]:
    other = {"Tq": "Tk", "Tk": "Tq"}
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in other:
        yield ast.Name(other[node.id])


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "window-two-sided",
        FAMILY,
        "the window includes later tokens as well as earlier ones",
        rule(
            "(_d >= 0) & (_d < _w) => np.abs(_d) < _w",
            "(_i >= _j) & (_i - _j < _w) => np.abs(_i - _j) < _w",
        ),
    ),
    Fault(
        "window-resized",
        FAMILY,
        "the window is one key too wide or too narrow",
        rule(
            *(
                f"_d {side} window => _d {side} window {step}"
                for side, step in (("<", "- 1"), ("<=", "+ 1"), (">", "+ 1"), (">=", "- 1"))
            ),
            "_x[-_w:] => _x[-_w - 1:] => _x[-_w + 1:]",
            "_x[..., -_w:, :] => _x[..., -_w - 1:, :] => _x[..., -_w + 1:, :]",
        ),
    ),
    Fault(
        "window-at-the-start",
        FAMILY,
        "the window contains the first keys instead of the last ones",
        rule("_x[-_w:] => _x[:_w]", "_x[..., -_w:, :] => _x[..., :_w, :]"),
    ),
    Fault(
        "heads-in-turn",
        FAMILY,
        "query heads take the key heads in turn instead of in contiguous groups",
        rule("_x[:, _h // _g] => _x[:, _h % _g]", "_x[_h // _g] => _x[_h % _g]"),
    ),
    Fault(
        "groups-exchanged",
        FAMILY,
        "the number of groups and the number of heads per group are swapped",
        rule(
            "_x.reshape(_b, _g, _h // _g, *_r) => _x.reshape(_b, _h // _g, _g, *_r)",
            "_x.reshape(_b, _h // _g, _g, *_r) => _x.reshape(_b, _g, _h // _g, *_r)",
        ),
    ),
    Fault(
        "first-group-for-all",
        FAMILY,
        "every query head uses the keys or values of the first group",
        rule(
            "_x.repeat(_n, axis=1) => np.repeat(_x[:, :1], _x.shape[1] * _n, axis=1)",
            "_x[:, _h // _g] => _x[:, 0]",
        ),
    ),
    Fault("cap-dropped", FAMILY, "scores are not capped", rule("_c * np.tanh(_s / _c) => _s")),
    Fault(
        "cap-without-factor",
        FAMILY,
        "scores are capped at one",
        rule("_c * np.tanh(_s / _c) => np.tanh(_s / _c)"),
    ),
    Fault(
        "cap-without-division",
        FAMILY,
        "even small scores are pushed close to the cap",
        rule("_c * np.tanh(_s / _c) => _c * np.tanh(_s)"),
    ),
    Fault(
        "cap-hard",
        FAMILY,
        "scores are clipped at the cap and unchanged below it, instead of squashed smoothly",
        rule("_c * np.tanh(_s / _c) => np.clip(_s, -_c, _c)"),
    ),
    Fault(
        "cap-before-scale",
        FAMILY,
        "scores are capped before they are scaled",
        rule("_c * np.tanh(_s / np.sqrt(_d) / _c) => _c * np.tanh(_s / _c) / np.sqrt(_d)"),
    ),
    Fault(
        "cap-after-mask",
        FAMILY,
        "blocked scores are capped too, so blocked keys still get weight",
        _cap_after_mask,
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
        "the numbers of queries and keys are swapped in one place",
        _query_count_for_key_count,
    ),
)
