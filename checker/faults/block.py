"""Transformer blocks: norms, residual connections, dropout, gradients and initialisation."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import Bindings, build, last_name, match, matches, names, rule
from checker.faults.planting import Fault, Rewrite, replace, replace_where

FAMILY: Final = "block"
RATES: Final = ("p", "rate", "dropout")
GAINS: Final = ("gain", "gamma", "g")
RANDOM: Final = "rng.random(*_s)"
RESIDUALS: Final = (
    ("_x = _x + _f(*_r)", "_x = _f(*_r)"),
    ("return _x + _f(*_r)", "return _f(*_r)"),
)


def _normalised_over_tokens(node: ast.AST) -> Iterator[ast.AST]:
    def change(part: ast.AST) -> ast.AST | None:
        if isinstance(part, ast.keyword) and part.arg == "axis" and matches("-1", part.value):
            return ast.keyword("axis", build("-2"))
        return None

    norm = {"var", "std", "sqrt"} & names(node) and "mean" in names(node)
    if isinstance(node, ast.FunctionDef) and norm and "exp" not in names(node):
        yield replace_where(node, change)


def _norm_call(node: ast.AST) -> Bindings | None:
    """A call of a norm: the norm as `_n`, its input as `_x`."""
    found = match("_n(_x, *_r)", node)
    return found if found and "norm" in last_name(found["_n"]) else None


def _norm_dropped(node: ast.AST) -> Iterator[ast.AST]:
    found = _norm_call(node)
    if found:
        yield found["_x"]


def _residual(node: ast.AST) -> Bindings | None:
    """A residual connection around a norm, `x + f(norm(x))`."""
    found = match("_x + _f(_y, *_s)", node)
    norm = _norm_call(found["_y"]) if found else None
    if found and norm and ast.unparse(norm["_x"]) == ast.unparse(found["_x"]):
        return {**norm, **found}
    return None


def _residual_from_normed(node: ast.AST) -> Iterator[ast.AST]:
    found = _residual(node)
    if found:
        yield build("_y + _f(_y, *_s)", found)
    if isinstance(node, ast.FunctionDef):
        for total in ast.walk(node):
            step = match("_x + _f(_h, *_s)", total)
            if step and any(_normalises(statement, step) for statement in node.body):
                yield replace(node, (total, build("_h + _f(_h, *_s)", step)))


def _normalises(statement: ast.AST, step: Bindings) -> bool:
    """Whether a statement is `h = norm(x)` for the x and h of a residual connection."""
    found = match("_h = _n(_x, *_r)", statement)
    return found is not None and all(
        ast.unparse(found[name]) == ast.unparse(step[name]) for name in ("_h", "_x")
    )


def _norm_after_residual(node: ast.AST) -> Iterator[ast.AST]:
    found = _residual(node)
    if found:
        yield build("_n(_x + _f(_x, *_s), *_r)", found)


def _residual_dropped(node: ast.AST) -> Iterator[ast.AST]:
    for before, after in RESIDUALS:
        found = match(before, node)
        if found and isinstance(found["_x"], ast.Name):
            yield from rule(f"{before} => {after}")(node)


def _as_if_training(training: bool) -> Rewrite:
    """A branch on `training` that is always taken as if in training, or never."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, (ast.If, ast.IfExp)) and names(node.test) & {"training", "train"}:
            negated = matches("not _t", node.test)
            yield replace(node, (node.test, ast.Constant(training is not negated)))

    return rewrite


def _softmax_gradient(template: str) -> Rewrite:
    """The gradient of a softmax, replaced; `{}` stands for the product of weights and gradient."""
    return rule(
        *(
            f"_w * (_d - {product}.sum(*_r)) => {template.format(product)}"
            for product in ("(_d * _w)", "(_w * _d)")
        )
    )


def _gradient_term_dropped(node: ast.AST) -> Iterator[ast.AST]:
    for part in _gradient_code(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Add, ast.Sub)):
            yield replace(node, (part, part.left))
            yield replace(node, (part, part.right))


def _gradient_without_scale(node: ast.AST) -> Iterator[ast.AST]:
    for part in _gradient_code(node):
        found = match("_x * scale", part) or match("scale * _x", part)
        if found:
            yield replace(node, (part, found["_x"]))


def _gradient_code(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function that computes gradients."""
    if isinstance(node, ast.FunctionDef) and any(w in node.name for w in ("backward", "grad")):
        yield from ast.walk(node)


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "normalised-over-tokens",
        FAMILY,
        "features are normalised across tokens instead of within each token",
        _normalised_over_tokens,
    ),
    Fault(
        "mean-of-another-axis",
        FAMILY,
        "the mean or variance is taken over another axis instead of a token's features",
        rule(
            *(
                f"_x.{name}(axis=-1, *_r) => _x.{name}(axis=-2, *_r)"
                for name in ("mean", "var", "std")
            )
        ),
    ),
    Fault(
        "sample-variance",
        FAMILY,
        "the variance is divided by n - 1 instead of n, so tokens come out slightly too small",
        rule("_x.var(*_r) => _x.var(ddof=1, *_r)", "_x.std(*_r) => _x.std(ddof=1, *_r)"),
    ),
    Fault(
        "epsilon-outside",
        FAMILY,
        "epsilon is added after the square root, so tokens with little variance come out too large",
        rule("np.sqrt(_v + _eps) => np.sqrt(_v) + _eps"),
    ),
    Fault(
        "epsilon-dropped",
        FAMILY,
        "a token with zero variance becomes nan",
        rule("np.sqrt(_v + _eps) => np.sqrt(_v)"),
    ),
    Fault(
        "root-of-variance-dropped",
        FAMILY,
        "tokens are divided by their variance instead of their standard deviation",
        rule("_x / np.sqrt(_v + _eps) => _x / (_v + _eps)"),
    ),
    Fault(
        "mean-not-subtracted",
        FAMILY,
        "the mean of a token is not subtracted",
        rule("_x - _x.mean(*_r) => _x", "(_x - mean) / _s => _x / _s"),
    ),
    Fault(
        "gain-dropped",
        FAMILY,
        "the learned gain has no effect",
        rule(
            *(f"{product} => _x" for gain in GAINS for product in (f"{gain} * _x", f"_x * {gain}"))
        ),
    ),
    Fault("norm-dropped", FAMILY, "a norm has no effect", _norm_dropped),
    Fault(
        "residual-from-normed",
        FAMILY,
        "the residual connection adds the normalised input instead of the input itself",
        _residual_from_normed,
    ),
    Fault(
        "norm-after-residual",
        FAMILY,
        "the sum after a residual connection is normalised instead of the input of the block",
        _norm_after_residual,
    ),
    Fault(
        "residual-dropped",
        FAMILY,
        "a result replaces its input instead of being added to it",
        _residual_dropped,
    ),
    Fault(
        "dropout-not-rescaled",
        FAMILY,
        "dropout does not scale up what it keeps, so training outputs are too small on average",
        rule(*(f"_x / (1 - {p}) => _x" for p in RATES), "_x / keep_rate => _x"),
    ),
    Fault(
        "dropout-rescaled-by-p",
        FAMILY,
        "dropout scales by the wrong factor, so training outputs have the wrong size on average",
        rule(*(f"_x / (1 - {p}) => _x / {p} => _x * (1 - {p})" for p in RATES)),
    ),
    Fault(
        "kept-for-dropped",
        FAMILY,
        "dropout keeps as many entries as it should drop",
        rule(
            *(f"{RANDOM} >= {p} => {RANDOM} < {p}" for p in RATES),
            *(f"{RANDOM} < {p} => {RANDOM} >= {p}" for p in RATES),
        ),
    ),
    Fault(
        "p-for-one-minus-p",
        FAMILY,
        "a probability p is used instead of 1 - p",
        rule(*(f"1 - {p} => {p}" for p in RATES), "_w * (1 - _w) => _w * _w"),
    ),
    Fault(
        "dropout-in-evaluation",
        FAMILY,
        "dropout is active in evaluation, so the same input gives a different output each time",
        _as_if_training(True),
    ),
    Fault("dropout-never", FAMILY, "nothing is dropped in training", _as_if_training(False)),
    Fault(
        "dropout-before-softmax",
        FAMILY,
        "dropout sets scores to zero instead of weights, so dropped keys still get weight",
        rule(
            "dropout(softmax(_s), *_r) => softmax(dropout(_s, *_r))",
            "drop(softmax(_s), *_r) => softmax(drop(_s, *_r))",
        ),
    ),
    Fault(
        "initial-weights-of-another-scale",
        FAMILY,
        "the initial weights are far too large or far too small",
        rule(
            *(
                f"rng.{draw}(*_r) / np.sqrt(_e) => rng.{draw}(*_r) => rng.{draw}(*_r) / _e"
                for draw in ("normal", "standard_normal")
            )
        ),
    ),
    Fault(
        "jacobian-diagonal",
        FAMILY,
        "the gradient of the softmax ignores that the weights of a row sum to one",
        _softmax_gradient("_w * _d"),
    ),
    Fault(
        "jacobian-sign",
        FAMILY,
        "the gradient of the softmax adds a term that it should subtract",
        _softmax_gradient("_w * (_d + {}.sum(*_r))"),
    ),
    Fault(
        "gradient-term-dropped",
        FAMILY,
        "a gradient is missing one of its terms",
        _gradient_term_dropped,
    ),
    Fault(
        "gradient-without-scale",
        FAMILY,
        "a gradient is too large by the square root of the head size",
        _gradient_without_scale,
    ),
)
