"""Variants: windows, grouped heads, soft caps, and attention to another sequence."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from checker.faults.patterns import made, match, rule
from checker.faults.planting import fault, replaced

FAMILY: Final = "variants"

fault("window-two-sided", FAMILY, "the window reaches ahead as far as back")(
    rule(
        "(_d >= 0) & (_d < _w) => np.abs(_d) < _w",
        "(_i >= _j) & (_i - _j < _w) => np.abs(_i - _j) < _w",
    )
)
fault("window-resized", FAMILY, "the window is one key wider or narrower")(
    rule(
        *(
            f"_d {side} window => _d {side} window {step}"
            for side, step in (("<", "- 1"), ("<=", "+ 1"), (">", "+ 1"), (">=", "- 1"))
        ),
        "_x[-_w:] => _x[-_w - 1:] => _x[-_w + 1:]",
        "_x[..., -_w:, :] => _x[..., -_w - 1:, :] => _x[..., -_w + 1:, :]",
    )
)
fault("window-at-the-start", FAMILY, "the window holds the first keys, not the last")(
    rule("_x[-_w:] => _x[:_w]", "_x[..., -_w:, :] => _x[..., :_w, :]")
)
fault("heads-by-turns", FAMILY, "query heads share keys by turns, not in blocks")(
    rule("_x[:, _h // _g] => _x[:, _h % _g]", "_x[_h // _g] => _x[_h % _g]")
)
fault("groups-exchanged", FAMILY, "groups and the heads in a group are taken for one another")(
    rule(
        "_x.reshape(_b, _g, _h // _g, *_r) => _x.reshape(_b, _h // _g, _g, *_r)",
        "_x.reshape(_b, _h // _g, _g, *_r) => _x.reshape(_b, _g, _h // _g, *_r)",
    )
)
fault("first-group-for-all", FAMILY, "every query head reads the first group of keys")(
    rule(
        "_x.repeat(_n, axis=1) => np.repeat(_x[:, :1], _x.shape[1] * _n, axis=1)",
        "_x[:, _h // _g] => _x[:, 0]",
    )
)
fault("cap-dropped", FAMILY, "scores have no ceiling")(rule("_c * np.tanh(_s / _c) => _s"))
fault("cap-without-factor", FAMILY, "scores have a ceiling of one")(
    rule("_c * np.tanh(_s / _c) => np.tanh(_s / _c)")
)
fault("cap-without-division", FAMILY, "small scores are blown up to the ceiling")(
    rule("_c * np.tanh(_s / _c) => _c * np.tanh(_s)")
)
fault("cap-hard", FAMILY, "scores are cut at the ceiling, and left alone below it")(
    rule("_c * np.tanh(_s / _c) => np.clip(_s, -_c, _c)")
)
fault("cap-before-scale", FAMILY, "scores meet the ceiling before they are scaled")(
    rule("_c * np.tanh(_s / np.sqrt(_d) / _c) => _c * np.tanh(_s / _c) / np.sqrt(_d)")
)


@fault("cap-after-mask", FAMILY, "a blocked key has the lowest score of all, and a share")
def _capped_late(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.where(_k, _x, -np.inf)", node)
    cap = match("_c * np.tanh(_s / _c)", found["_x"]) if found else None
    if found and cap:
        yield made("_c * np.tanh(np.where(_k, _s, -np.inf) / _c)", {**found, **cap})
    if isinstance(node, ast.FunctionDef):
        for first, second in pairwise(node.body):
            if match("_x = _c * np.tanh(_x / _c)", first) and match(
                "_x = np.where(_k, _x, -np.inf)", second
            ):
                yield replaced(node, {id(first): second, id(second): first})


@fault("from-the-other-sequence", FAMILY, "queries, keys or values are of the wrong sequence")
def _other_sequence(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        sources = [source for each in ("Wq", "Wk", "Wv") for source in _projected(node, each)]
        for source in sources:
            for name in sorted({each.id for each in sources} - {source.id}):
                yield replaced(node, {id(source): ast.Name(name)})


def _projected(function: ast.AST, matrix: str) -> Iterator[ast.Name]:
    """What a matrix is applied to, where that has a name."""
    for place in ast.walk(function):
        found = match(f"_x @ {matrix}", place)
        if found and isinstance(found["_x"], ast.Name):
            yield found["_x"]


@fault("queries-counted-for-keys", FAMILY, "as many keys are counted as there are queries")
def _counted(node: ast.AST) -> Iterator[ast.AST]:
    other = {"Tq": "Tk", "Tk": "Tq"}
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in other:
        yield ast.Name(other[node.id])
