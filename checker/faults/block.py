"""Around attention: normalisation, residuals, dropout, gradients, first weights."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import Found, called, like, made, match, names, rule
from checker.faults.planting import everywhere, fault, replaced

FAMILY: Final = "around"


@fault("normalised-over-tokens", FAMILY, "a token is normalised by the other tokens, not by itself")
def _over_tokens(node: ast.AST) -> Iterator[ast.AST]:
    def change(place: ast.AST) -> ast.AST | None:
        if isinstance(place, ast.keyword) and place.arg == "axis" and like("-1", place.value):
            return ast.keyword("axis", made("-2"))
        return None

    norm = {"var", "std", "sqrt"} & names(node) and "mean" in names(node)
    if isinstance(node, ast.FunctionDef) and norm and "exp" not in names(node):
        yield everywhere(node, change)


fault("mean-of-another-axis", FAMILY, "mean or spread is not that of the token itself")(
    rule(
        *(f"_x.{each}(axis=-1, *_r) => _x.{each}(axis=-2, *_r)" for each in ("mean", "var", "std"))
    )
)
fault("spread-of-a-sample", FAMILY, "tokens come out a little too small")(
    rule("_x.var(*_r) => _x.var(ddof=1, *_r)", "_x.std(*_r) => _x.std(ddof=1, *_r)")
)
fault("epsilon-outside", FAMILY, "a token of little spread comes out too large")(
    rule("np.sqrt(_v + _eps) => np.sqrt(_v) + _eps")
)
fault("epsilon-dropped", FAMILY, "a token without spread becomes nan")(
    rule("np.sqrt(_v + _eps) => np.sqrt(_v)")
)
fault("root-of-spread-dropped", FAMILY, "tokens are divided by their variance")(
    rule("_x / np.sqrt(_v + _eps) => _x / (_v + _eps)")
)
fault("mean-not-taken-off", FAMILY, "tokens keep their mean")(
    rule("_x - _x.mean(*_r) => _x", "(_x - mean) / _s => _x / _s")
)
fault("gain-dropped", FAMILY, "the learned gain is without effect")(
    rule(
        *(
            f"{left} => _x"
            for each in ("gain", "gamma", "g")
            for left in (f"{each} * _x", f"_x * {each}")
        )
    )
)


def _normed(node: ast.AST) -> Found | None:
    """A call of a norm."""
    found = match("_n(_x, *_r)", node)
    return found if found and "norm" in called(found["_n"]) else None


@fault("norm-dropped", FAMILY, "what goes in is not normalised")
def _unnormed(node: ast.AST) -> Iterator[ast.AST]:
    found = _normed(node)
    if found:
        yield found["_x"]


def _block(node: ast.AST) -> Found | None:
    """A residual step, `x + f(norm(x))`: all its parts."""
    found = match("_x + _f(_y, *_s)", node)
    inner = _normed(found["_y"]) if found else None
    same = found and inner and ast.unparse(inner["_x"]) == ast.unparse(found["_x"])
    return {**inner, **found} if found and inner and same else None


@fault("residual-from-normed", FAMILY, "what is carried past a block is normalised too")
def _from_normed(node: ast.AST) -> Iterator[ast.AST]:
    found = _block(node)
    if found:
        yield made("_y + _f(_y, *_s)", found)
    if isinstance(node, ast.FunctionDef):
        for place in ast.walk(node):
            step = match("_x + _f(_h, *_s)", place)
            if step and any(_makes(statement, step) for statement in node.body):
                yield replaced(node, {id(place): made("_h + _f(_h, *_s)", step)})


def _makes(statement: ast.AST, step: Found) -> bool:
    """Whether a statement is `h = norm(x)` for the x and h of a residual step."""
    found = match("_h = _n(_x, *_r)", statement)
    return found is not None and all(
        ast.unparse(found[each]) == ast.unparse(step[each]) for each in ("_h", "_x")
    )


@fault("norm-behind", FAMILY, "the sum is normalised, not what goes into the block")
def _norm_behind(node: ast.AST) -> Iterator[ast.AST]:
    found = _block(node)
    if found:
        yield made("_n(_x + _f(_x, *_s), *_r)", found)


@fault("residual-dropped", FAMILY, "what goes in is not carried past the block")
def _not_carried(node: ast.AST) -> Iterator[ast.AST]:
    for before, after in STEPS:
        found = match(before, node)
        if found and isinstance(found["_x"], ast.Name):
            yield from rule(f"{before} => {after}")(node)


STEPS: Final = (
    ("_x = _x + _f(*_r)", "_x = _f(*_r)"),
    ("return _x + _f(*_r)", "return _f(*_r)"),
)
RATES: Final = ("p", "rate", "dropout")
DRAWN: Final = "rng.random(*_s)"
fault("dropout-not-rescaled", FAMILY, "answers are smaller in training, on average")(
    rule(*(f"_x / (1 - {p}) => _x" for p in RATES), "_x / keep_rate => _x")
)
fault("dropout-rescaled-by-p", FAMILY, "answers have another size in training, on average")(
    rule(*(f"_x / (1 - {p}) => _x / {p} => _x * (1 - {p})" for p in RATES))
)
fault("kept-for-dropped", FAMILY, "as many are dropped as are to be kept")(
    rule(
        *(f"{DRAWN} >= {p} => {DRAWN} < {p}" for p in RATES),
        *(f"{DRAWN} < {p} => {DRAWN} >= {p}" for p in RATES),
    )
)
fault("p-for-the-rest", FAMILY, "a probability stands for its opposite")(
    rule(*(f"1 - {p} => {p}" for p in RATES), "_w * (1 - _w) => _w * _w")
)


def _if(node: ast.AST, training: bool) -> Iterator[ast.AST]:
    """A branch on training, as if it were or were not."""
    if isinstance(node, (ast.If, ast.IfExp)):
        plain, inverse = names(node.test) & {"training", "train"}, match("not _t", node.test)
        if plain:
            yield replaced(node, {id(node.test): ast.Constant(training is not bool(inverse))})


@fault("dropout-in-evaluation", FAMILY, "the same question gets another answer each time")
def _always(node: ast.AST) -> Iterator[ast.AST]:
    yield from _if(node, training=True)


@fault("dropout-never", FAMILY, "nothing is dropped in training")
def _never(node: ast.AST) -> Iterator[ast.AST]:
    yield from _if(node, training=False)


fault("dropout-before-softmax", FAMILY, "a dropped score counts as zero, and keeps a share")(
    rule(
        "dropout(softmax(_s), *_r) => softmax(dropout(_s, *_r))",
        "drop(softmax(_s), *_r) => softmax(drop(_s, *_r))",
    )
)
fault("first-weights-of-another-size", FAMILY, "scores begin far too large, or far too small")(
    rule(
        *(
            f"rng.{draw}(*_r) / np.sqrt(_e) => rng.{draw}(*_r) => rng.{draw}(*_r) / _e"
            for draw in ("normal", "standard_normal")
        )
    )
)

fault("jacobian-diagonal", FAMILY, "a gradient leaves out that shares are of one whole")(
    rule("_w * (_d - (_d * _w).sum(*_r)) => _w * _d", "_w * (_d - (_w * _d).sum(*_r)) => _w * _d")
)
fault("jacobian-sign", FAMILY, "a gradient adds what it is to take off")(
    rule(
        "_w * (_d - (_d * _w).sum(*_r)) => _w * (_d + (_d * _w).sum(*_r))",
        "_w * (_d - (_w * _d).sum(*_r)) => _w * (_d + (_w * _d).sum(*_r))",
    )
)


@fault("gradient-term-dropped", FAMILY, "a gradient lacks one of its terms")
def _term(node: ast.AST) -> Iterator[ast.AST]:
    for place in _of_gradients(node):
        if isinstance(place, ast.BinOp) and isinstance(place.op, (ast.Add, ast.Sub)):
            yield replaced(node, {id(place): place.left})
            yield replaced(node, {id(place): place.right})


@fault("gradient-without-scale", FAMILY, "a gradient is larger by the root of the size")
def _unscaled(node: ast.AST) -> Iterator[ast.AST]:
    for place in _of_gradients(node):
        found = match("_x * scale", place) or match("scale * _x", place)
        if found:
            yield replaced(node, {id(place): found["_x"]})


def _of_gradients(node: ast.AST) -> Iterator[ast.AST]:
    """What is computed in a function that goes back."""
    if isinstance(node, ast.FunctionDef) and any(w in node.name for w in ("backward", "grad")):
        yield from ast.walk(node)
