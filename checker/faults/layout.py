"""Layout: transposes, heads, reshapes, einsum's letters, and who is query, key and value."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from checker.faults.patterns import canonical, like, made, match, rule
from checker.faults.planting import fault

FAMILY: Final = "layout"
TURN: Final = "_k.swapaxes(-1, -2)"
HEADS_FIRST: Final = (".swapaxes(1, 2)", ".transpose(0, 2, 1, 3)")

fault("merge-without-transpose", FAMILY, "a word gets several words of one head")(
    rule(*(f"_x{turn}.reshape(_a, _b, _c) => _x.reshape(_a, _b, _c)" for turn in HEADS_FIRST))
)
fault("split-without-transpose", FAMILY, "a head gets all numbers of some words")(
    rule(
        *(f"_x.reshape(_b, _t, _h, _d){turn} => _x.reshape(_b, _h, _t, _d)" for turn in HEADS_FIRST)
    )
)
fault("heads-interleaved", FAMILY, "a head has every so-manyth number, not a block of them")(
    rule(
        *(
            f"_x.reshape(_b, _t, _h, _d){turn} => _x.reshape(_b, _t, _d, _h).transpose(0, 3, 1, 2)"
            for turn in HEADS_FIRST
        ),
        *(
            f"_x{turn}.reshape(_a, _b, _c) => _x.transpose(0, 2, 3, 1).reshape(_a, _b, _c)"
            for turn in HEADS_FIRST
        ),
    )
)
fault("heads-joined-backwards", FAMILY, "the last head stands first")(
    rule(
        *(
            f"_x{turn}.reshape(_a, _b, _c) => _x[:, ::-1]{turn}.reshape(_a, _b, _c)"
            for turn in HEADS_FIRST
        )
    )
)
fault("query-turned", FAMILY, "features of queries meet features of keys")(
    rule(f"_q @ {TURN} => _q.swapaxes(-1, -2) @ _k")
)
fault("reshape-for-transpose", FAMILY, "keys are read on into the turned shape, not turned")(
    rule(f"_q @ {TURN} => _q @ _k.reshape(*_k.shape[:-2], _k.shape[-1], _k.shape[-2])")
)
fault("roles-exchanged", FAMILY, "keys ask, and queries are asked")(
    rule(f"_q @ {TURN} => _k @ _q.swapaxes(-1, -2)")
)
fault("weights-turned", FAMILY, "an answer is made with the weights of a key, not of a query")(
    rule("_w @ v => _w.swapaxes(-1, -2) @ v")
)
fault("values-from-keys", FAMILY, "what is added up are keys or queries, not values")(
    rule("_w @ v => _w @ k => _w @ q", "np.einsum(_s, _w, v) => np.einsum(_s, _w, k)")
)
fault("transpose-dropped", FAMILY, "two axes have not changed places")(
    rule("_x.swapaxes(_a, _b) => _x", "_x.transpose(*_r) => _x")
)
fault("all-axes-reversed", FAMILY, "every axis is turned round, the batch with them")(
    rule("_x.swapaxes(_a, _b) => _x.T", "_x.transpose(_a, *_r) => _x.T")
)


@fault("wrong-axes-swapped", FAMILY, "other axes than those two have changed places")
def _other_axes(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_x.swapaxes(_a, _b)", node)
    if found:
        negative = ast.unparse(found["_a"]).startswith("-")
        for pair in ("-2, -3", "0, 1") if negative else ("0, 1", "0, 2", "1, 3", "2, 3"):
            yield made(f"_x.swapaxes({pair})", found)
    call = canonical(node)
    if isinstance(call, ast.Call) and match("_x.transpose(_a, _b, *_r)", call):
        for i in range(len(call.args) - 1):
            order = [*call.args[:i], call.args[i + 1], call.args[i], *call.args[i + 2 :]]
            yield ast.Call(call.func, order, call.keywords)


@fault("fortran-order", FAMILY, "numbers are read on with the first axis running fastest")
def _fortran(node: ast.AST) -> Iterator[ast.AST]:
    call = canonical(node)
    if isinstance(call, ast.Call) and match("_x.reshape(*_r)", call) and not call.keywords:
        yield ast.Call(call.func, call.args, [ast.keyword("order", ast.Constant("F"))])


fault("packed-by-head", FAMILY, "queries, keys and values alternate head by head")(
    rule("_x.reshape(_b, _t, 3, _h, _d) => _x.reshape(_b, _t, _h, 3, _d).swapaxes(2, 3)")
)
fault("packed-by-matrix", FAMILY, "all queries stand before all keys, not head by head")(
    rule("_x.reshape(_b, _t, _h, 3, _d) => _x.reshape(_b, _t, 3, _h, _d).swapaxes(2, 3)")
)


@fault("tile-for-repeat", FAMILY, "copies of the whole follow one another, not of each part")
def _tiled(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_x.repeat(_n, axis=_a)", node)
    if found:
        yield made("np.concatenate([_x] * _n, axis=_a)", found)


@fault("repeat-for-tile", FAMILY, "copies of each part stand side by side, not of the whole")
def _repeated(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.tile(_x, _s)", node)
    counts = found["_s"].elts if found and isinstance(found["_s"], ast.Tuple) else []
    several = [i for i, count in enumerate(counts) if not like("1", count)]
    if found and len(several) == 1:
        axis = several[0] - len(counts)
        yield made(f"np.repeat(_x, _n, axis={axis})", found, n=counts[several[0]])


fault("repeated-on-another-axis", FAMILY, "copies lie along another axis")(
    rule(
        "_x.repeat(_n, axis=_a) => np.repeat(_x, _n, axis=_a - 1) => np.repeat(_x, _n, axis=_a + 1)"
    )
)
fault("joined-on-another-axis", FAMILY, "parts are joined along another axis")(
    rule(
        "np.concatenate(_x, axis=-1) => np.concatenate(_x, axis=-2) => np.concatenate(_x, axis=0)",
        "np.concatenate(_x, axis=-2) => np.concatenate(_x, axis=-1) => np.concatenate(_x, axis=0)",
        "np.concatenate(_x, axis=1) => np.concatenate(_x, axis=0) => np.concatenate(_x, axis=2)",
        "np.stack(_x, axis=-1) => np.stack(_x, axis=-2)",
        "np.split(_x, _n, axis=-1) => np.split(_x, _n, axis=-2)",
        "np.concatenate(_x, axis=2) => np.concatenate(_x, axis=1) => np.concatenate(_x, axis=-1)",
    )
)
fault("matrix-turned", FAMILY, "a weight matrix is applied from its other side")(
    rule(*(f"_x @ W{each} => _x @ W{each}.T" for each in ("", "q", "k", "v", "o")))
)
fault("matrix-dropped", FAMILY, "a weight matrix is not applied")(
    rule(*(f"_x @ W{each} => _x" for each in ("", "q", "k", "v", "o")))
)
fault("size-of-another-axis", FAMILY, "a size is that of another axis")(
    rule("_x.shape[-1] => _x.shape[-2]", "_x.shape[-2] => _x.shape[-1]")
)

ROLE: Final = re.compile(r"^_?W?_?([qkv])(_\w+)?$")


@fault("roles-of-arguments-exchanged", FAMILY, "two of queries, keys and values are exchanged")
def _exchanged(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call):
        for args in _exchanges(node.args):
            yield ast.Call(node.func, args, node.keywords)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        for targets in _exchanges(node.targets[0].elts):
            yield ast.Assign([ast.Tuple(targets)], node.value)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for values in _exchanges(node.value.elts):
            yield ast.Return(ast.Tuple(values))


def _exchanges(nodes: list[ast.expr]) -> Iterator[list[ast.expr]]:
    roles = [
        i for i, each in enumerate(nodes) if isinstance(each, ast.Name) and ROLE.match(each.id)
    ]
    for i, j in combinations(roles, 2):
        other = list(nodes)
        other[i], other[j] = nodes[j], nodes[i]
        yield other


@fault("sizes-exchanged", FAMILY, "two sizes are taken for one another")
def _sizes(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_t = _x.shape", node)
    if found and isinstance(found["_t"], ast.Tuple):
        sizes = found["_t"].elts
        named = [i for i, each in enumerate(sizes) if ast.unparse(each) != "_"]
        for i, j in combinations(named, 2):
            other = list(sizes)
            other[i], other[j] = sizes[j], sizes[i]
            yield ast.Assign([ast.Tuple(other)], made("_x.shape", found))
