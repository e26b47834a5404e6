"""Scores: their scale and their bias, and the softmax that makes weights of them."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

from checker.faults.patterns import Found, called, like, made, match, names, parameters, rule
from checker.faults.planting import everywhere, fault, replaced

FAMILY: Final = "score"
SCALED: Final = (  # the forms of a scale, and the scaled alone
    ("_s / np.sqrt(_d)", "_s"),
    ("_s / _d ** 0.5", "_s"),
    ("_s * _d ** -0.5", "_s"),
    ("_d ** -0.5", "1.0"),
)
OTHERS: Final = {
    "scale-doubled": ("2 * ({s}) / np.sqrt(_d)", "scores are twice as large as they are to be"),
    "scale-inverted": ("{s} * np.sqrt(_d)", "scores grow with the root of the size"),
    "scale-without-root": ("{s} / _d", "scores are divided by the size itself: too flat"),
    "scale-fourth-root": ("{s} / _d ** 0.25", "scores are only half scaled: too sharp"),
    "scale-of-all-heads": ("{s} / np.sqrt(_d * H)", "scores are divided as if all heads were one"),
    "scale-by-heads": ("{s} / np.sqrt(H)", "scores are divided by the root of the head count"),
}


def _scaled(node: ast.AST) -> tuple[str, Found] | None:
    """A scale: the pattern of what is scaled, and what was found. Initial weights are none."""
    for pattern, alone in SCALED:
        found = match(pattern, node)
        if found and _is_size(found["_d"]) and not names(node) & {"normal", "standard_normal"}:
            return alone, found
    return None


def _is_size(node: ast.expr) -> bool:
    text = ast.unparse(node)
    return (
        "shape" in text
        or "//" in text
        or text in ("D", "E", "H", "d", "dk", "d_k", "head_size", "head_dim")
    )


def _rescaled(template: str) -> Callable[[ast.AST], Iterator[ast.AST]]:
    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        known = _scaled(node)
        if known:
            yield _written(template.format(s=known[0]), node, known[1])

    return rewrite


def _written(template: str, node: ast.AST, found: Found, **more: ast.AST) -> ast.AST:
    """What a template makes of a scale, with powers where the node has them.

    A root of numpy's is a float64 that makes one of float32 arrays: another fault than this one.
    """
    tree = made(template, found, **more)
    powers = "sqrt(" not in ast.unparse(node)
    return everywhere(tree, _power) if powers else tree


def _power(node: ast.AST) -> ast.AST | None:
    found = match("np.sqrt(_x)", node)
    return made("_x ** 0.5", found) if found else None


def _with_heads(template: str) -> Callable[[ast.AST], Iterator[ast.AST]]:
    """The same, within a function that knows the number of heads."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.FunctionDef) and "H" in parameters(node):
            for place in ast.walk(node):
                for faulty in _rescaled(template)(place):
                    yield replaced(node, {id(place): faulty})

    return rewrite


fault("scale-dropped", FAMILY, "scores grow with the size: too sharp")(_rescaled("{s}"))
for _name, (_template, _line) in OTHERS.items():
    _plant = _with_heads if "H" in _template else _rescaled
    fault(_name, FAMILY, _line)(_plant(_template))


@fault("scale-by-another-size", FAMILY, "scores are divided by the root of another axis's size")
def _other_size(node: ast.AST) -> Iterator[ast.AST]:
    known = _scaled(node)
    size = match("_x.shape[-1]", known[1]["_d"]) if known else None
    if known and size:
        for axis in ("-2", "0"):
            other = {**known[1], "_d": made(f"_x.shape[{axis}]", size)}
            yield _written(f"{known[0]} / np.sqrt(_d)", node, other)


@fault("scale-after-softmax", FAMILY, "the weights of a row do not sum to one")
def _scale_late(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.FunctionDef):
        return
    for place in ast.walk(node):
        known = _scaled(place)
        if known:
            bare = made(known[0], known[1])
            for weights in _weights(node, place):
                inner = replaced(weights, {id(place): bare})
                late = _written("_w / np.sqrt(_d)", place, known[1], w=inner)
                yield replaced(node, {id(place): bare, id(weights): late})


def _weights(function: ast.FunctionDef, scale: ast.AST) -> Iterator[ast.AST]:
    """The places of a function at which scores have just become weights."""
    for place in ast.walk(function):
        call = match("_f(_x, *_r)", place)
        softmax = call and "softmax" in called(call["_f"])
        if place is not scale and (softmax or match("_e / _e.sum(*_r)", place)):
            yield place


fault("softmax-dropped", FAMILY, "the weights are the bare scores")(rule("softmax(_s, *_r) => _s"))
fault("softmax-twice", FAMILY, "the weights are almost even")(
    rule("softmax(_s, *_r) => softmax(softmax(_s, *_r), *_r)")
)
fault("softmax-not-normalised", FAMILY, "the weights of a row sum to any number")(
    rule("_e / _e.sum(*_r) => _e", "_a / _l[..., None] => _a", "_a / _l[:, None] => _a")
)
fault("softmax-plus-one", FAMILY, "the weights of a row sum to less than one")(
    rule("_e / _e.sum(*_r) => _e / (1 + _e.sum(*_r))")
)
fault("sum-epsilon", FAMILY, "the weights of a row sum to a little less than one")(
    rule("_e / _e.sum(*_r) => _e / (_e.sum(*_r) + 1e-05)")
)


def _moved(axis: str) -> Callable[[ast.AST], Iterator[ast.AST]]:
    """Every axis of a softmax moved, in the function itself or where it is called."""

    def change(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.keyword) and node.arg == "axis":
            return ast.keyword("axis", made(axis)) if like("-1", node.value) else None
        return None

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        body = isinstance(node, ast.FunctionDef) and {"exp", "sum"} <= names(node)
        if body or match("softmax(_x, axis=-1)", node):
            yield everywhere(node, change)
        found = match("softmax(_x, -1)", node)
        if found:
            yield made(f"softmax(_x, {axis})", found)

    return rewrite


fault("softmax-over-queries", FAMILY, "each key's weights sum to one, not each query's")(
    _moved("-2")
)
fault("softmax-over-batch", FAMILY, "the weights of one place in all batch items sum to one")(
    _moved("0")
)
fault("softmax-over-everything", FAMILY, "all weights together sum to one")(_moved("None"))
fault("sum-over-another-axis", FAMILY, "shares are of a sum that is not their row's")(
    rule("_x.sum(axis=-1, *_r) => _x.sum(axis=-2, *_r) => _x.sum(axis=0, *_r)")
)
fault("sum-of-everything", FAMILY, "shares are of the sum of all rows")(
    rule("_x.sum(axis=_i, keepdims=True) => _x.sum()")
)


@fault("keepdims-dropped", FAMILY, "what was found for a row is applied along another axis")
def _keepdims(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and any(each.arg == "keepdims" for each in node.keywords):
        others = [each for each in node.keywords if each.arg != "keepdims"]
        yield ast.Call(node.func, node.args, others)


fault("bias-scaled", FAMILY, "the bias is scaled along with the scores")(
    rule("_c * _s + bias => _c * (_s + bias)", "_s / _c + bias => (_s + bias) / _c")
)


@fault("bias-dropped", FAMILY, "the bias is without effect")
def _no_bias(node: ast.AST) -> Iterator[ast.AST]:
    yield from _given_bias(node, "_s")


@fault("bias-subtracted", FAMILY, "what the bias is to raise it lowers")
def _less_bias(node: ast.AST) -> Iterator[ast.AST]:
    yield from _given_bias(node, "_s - bias")


@fault("bias-after-softmax", FAMILY, "the bias moves weights, not scores")
def _late_bias(node: ast.AST) -> Iterator[ast.AST]:
    for bare in _given_bias(node, "_s"):
        for place in ast.walk(bare):
            if match("softmax(_x)", place):
                yield replaced(bare, {id(place): made("_w + bias", w=place)})


def _given_bias(node: ast.AST, template: str) -> Iterator[ast.AST]:
    """A function that is given a bias, with another sum of it and the scores."""
    if isinstance(node, ast.FunctionDef) and "bias" in parameters(node):
        for place in ast.walk(node):
            found = match("_s + bias", place)
            if found:
                yield replaced(node, {id(place): made(template, found)})


@fault("answer-from-scores", FAMILY, "values are added up under scores, not under weights")
def _from_scores(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and {"scores", "weights"} <= names(node):
        for place in ast.walk(node):
            for faulty in _scores_for_weights(place):
                yield replaced(node, {id(place): faulty})


_scores_for_weights = rule(
    "weights @ _v => scores @ _v", "np.einsum(_s, weights, _v) => np.einsum(_s, scores, _v)"
)
