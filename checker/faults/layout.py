"""Layout: transposes, heads, reshapes, and which array is the query, the key or the value."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from checker.faults.patterns import build, canonical, match, matches, rule
from checker.faults.planting import Fault

FAMILY: Final = "layout"
TRANSPOSED_KEYS: Final = "_k.swapaxes(-1, -2)"
MATRICES: Final = ("W", "Wq", "Wk", "Wv", "Wo")
ROLE: Final = re.compile(r"^_?W?_?([qkv])(_\w+)?$")


def _wrong_axes_swapped(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_x.swapaxes(_a, _b)", node)
    if found:
        negative = ast.unparse(found["_a"]).startswith("-")
        for pair in ("-2, -3", "0, 1") if negative else ("0, 1", "0, 2", "1, 3", "2, 3"):
            yield build(f"_x.swapaxes({pair})", found)
    call = canonical(node)
    if isinstance(call, ast.Call) and matches("_x.transpose(_a, _b, *_r)", call):
        for i in range(len(call.args) - 1):
            yield ast.Call(call.func, _exchanged(call.args, i, i + 1), call.keywords)


def _fortran_order(node: ast.AST) -> Iterator[ast.AST]:
    call = canonical(node)
    if isinstance(call, ast.Call) and matches("_x.reshape(*_r)", call) and not call.keywords:
        yield ast.Call(call.func, call.args, [ast.keyword("order", ast.Constant("F"))])


def _roles_exchanged(node: ast.AST) -> Iterator[ast.AST]:
    """Two of query, key and value exchanged in a call, an assignment or a return."""
    if isinstance(node, ast.Call):
        for args in _exchanged_roles(node.args):
            yield ast.Call(node.func, args, node.keywords)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        for targets in _exchanged_roles(node.targets[0].elts):
            yield ast.Assign([ast.Tuple(targets)], node.value)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for values in _exchanged_roles(node.value.elts):
            yield ast.Return(ast.Tuple(values))


def _exchanged_roles(nodes: list[ast.expr]) -> Iterator[list[ast.expr]]:
    roles = [
        i for i, node in enumerate(nodes) if isinstance(node, ast.Name) and ROLE.match(node.id)
    ]
    for i, j in combinations(roles, 2):
        yield _exchanged(nodes, i, j)


def _sizes_exchanged(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_t = _x.shape", node)
    if found and isinstance(found["_t"], ast.Tuple):
        sizes = found["_t"].elts
        named = [i for i, size in enumerate(sizes) if ast.unparse(size) != "_"]
        for i, j in combinations(named, 2):
            yield ast.Assign([ast.Tuple(_exchanged(sizes, i, j))], build("_x.shape", found))


def _exchanged(nodes: list[ast.expr], i: int, j: int) -> list[ast.expr]:
    result = list(nodes)
    result[i], result[j] = nodes[j], nodes[i]
    return result


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "merge-without-transpose",
        FAMILY,
        "an output token is made of several tokens of one head instead of one token of all heads",
        rule("_x.swapaxes(1, 2).reshape(_a, _b, _c) => _x.reshape(_a, _b, _c)"),
    ),
    Fault(
        "split-without-transpose",
        FAMILY,
        "a head gets all features of some tokens instead of some features of all tokens",
        rule("_x.reshape(_b, _t, _h, _d).swapaxes(1, 2) => _x.reshape(_b, _h, _t, _d)"),
    ),
    Fault(
        "heads-interleaved",
        FAMILY,
        "each head takes every H-th feature instead of a contiguous block",
        rule(
            "_x.reshape(_b, _t, _h, _d).swapaxes(1, 2)"
            " => _x.reshape(_b, _t, _d, _h).transpose(0, 3, 1, 2)",
            "_x.swapaxes(1, 2).reshape(_a, _b, _c) => _x.transpose(0, 2, 3, 1).reshape(_a, _b, _c)",
        ),
    ),
    Fault(
        "heads-joined-backwards",
        FAMILY,
        "heads are concatenated in reverse order",
        rule(
            "_x.swapaxes(1, 2).reshape(_a, _b, _c)"
            " => _x[:, ::-1].swapaxes(1, 2).reshape(_a, _b, _c)"
        ),
    ),
    Fault(
        "query-transposed",
        FAMILY,
        "scores compare features with features instead of tokens with tokens",
        rule(f"_q @ {TRANSPOSED_KEYS} => _q.swapaxes(-1, -2) @ _k"),
    ),
    Fault(
        "reshape-for-transpose",
        FAMILY,
        "keys are reshaped instead of transposed, so features of different tokens are mixed",
        rule(
            f"_q @ {TRANSPOSED_KEYS} => _q @ _k.reshape(*_k.shape[:-2], _k.shape[-1], _k.shape[-2])"
        ),
    ),
    Fault(
        "roles-exchanged",
        FAMILY,
        "keys are used as queries, and queries as keys",
        rule(f"_q @ {TRANSPOSED_KEYS} => _k @ _q.swapaxes(-1, -2)"),
    ),
    Fault(
        "weights-transposed",
        FAMILY,
        "each output uses the weights of a key instead of the weights of a query",
        rule("_w @ v => _w.swapaxes(-1, -2) @ v"),
    ),
    Fault(
        "values-from-keys",
        FAMILY,
        "keys or queries are summed instead of values",
        rule("_w @ v => _w @ k => _w @ q", "np.einsum(_s, _w, v) => np.einsum(_s, _w, k)"),
    ),
    Fault(
        "transpose-dropped",
        FAMILY,
        "two axes are not swapped",
        rule("_x.swapaxes(_a, _b) => _x", "_x.transpose(*_r) => _x"),
    ),
    Fault(
        "all-axes-reversed",
        FAMILY,
        "all axes are reversed, including the batch",
        rule("_x.swapaxes(_a, _b) => _x.T", "_x.transpose(_a, *_r) => _x.T"),
    ),
    Fault("wrong-axes-swapped", FAMILY, "the wrong two axes are swapped", _wrong_axes_swapped),
    Fault(
        "fortran-order",
        FAMILY,
        "an array is reshaped in column-major order instead of row-major order",
        _fortran_order,
    ),
    Fault(
        "packed-by-matrix",
        FAMILY,
        "packed features are taken as all queries, all keys, all values, instead of head by head",
        rule("_x.reshape(_b, _t, _h, 3, _d) => _x.reshape(_b, _t, 3, _h, _d).swapaxes(2, 3)"),
    ),
    Fault(
        "tile-for-repeat",
        FAMILY,
        "copies are in the order 0, 1, 0, 1 instead of 0, 0, 1, 1",
        rule("_x.repeat(_n, axis=_a) => np.concatenate([_x] * _n, axis=_a)"),
    ),
    Fault(
        "repeated-on-another-axis",
        FAMILY,
        "copies are made along the wrong axis",
        rule(
            "_x.repeat(_n, axis=_a) =>"
            " np.repeat(_x, _n, axis=_a - 1) => np.repeat(_x, _n, axis=_a + 1)"
        ),
    ),
    Fault(
        "matrix-transposed",
        FAMILY,
        "a weight matrix is transposed",
        rule(*(f"_x @ {matrix} => _x @ {matrix}.T" for matrix in MATRICES)),
    ),
    Fault(
        "matrix-dropped",
        FAMILY,
        "a weight matrix is not applied",
        rule(*(f"_x @ {matrix} => _x" for matrix in MATRICES)),
    ),
    Fault(
        "size-of-another-axis",
        FAMILY,
        "a size is taken from the wrong axis",
        rule("_x.shape[-1] => _x.shape[-2]", "_x.shape[-2] => _x.shape[-1]"),
    ),
    Fault(
        "roles-of-arguments-exchanged",
        FAMILY,
        "two of query, key and value are swapped",
        _roles_exchanged,
    ),
    Fault("sizes-exchanged", FAMILY, "two sizes are swapped", _sizes_exchanged),
)
