"""Scores: their scale and bias, and the softmax that turns them into weights."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import (
    Bindings,
    build,
    last_name,
    match,
    matches,
    names,
    parameters,
    rule,
)
from checker.faults.planting import Fault, Rewrite, replace, replace_where

FAMILY: Final = "score"
SCALED: Final = (  # ways to write a scale, and what remains without it
    ("_s / np.sqrt(_d)", "_s"),
    ("_d ** -0.5", "1.0"),
)
SIZES: Final = ("D", "E", "H", "d", "dk", "d_k", "head_size", "head_dim")


def _scale(node: ast.AST) -> tuple[str, Bindings] | None:
    """For scaled scores: the unscaled form and its bindings. Scaled random weights do not count."""
    for pattern, unscaled in SCALED:
        found = match(pattern, node)
        if found and _is_size(found["_d"]) and not names(node) & {"normal", "standard_normal"}:
            return unscaled, found
    return None


def _is_size(node: ast.expr) -> bool:
    text = ast.unparse(node)
    return "shape" in text or "//" in text or text in SIZES


def _rescale(template: str) -> Rewrite:
    """Scores with another scale; `{s}` in the template stands for the unscaled scores."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        scale = _scale(node)
        if scale:
            yield _build_like(node, template.format(s=scale[0]), scale[1])

    return rewrite


def _build_like(node: ast.AST, template: str, found: Bindings, **more: ast.AST) -> ast.AST:
    """The filled-in template, with np.sqrt only if the node uses it: its result is float64."""
    tree = build(template, found, **more)
    return tree if "sqrt(" in ast.unparse(node) else replace_where(tree, _sqrt_as_power)


def _sqrt_as_power(node: ast.AST) -> ast.AST | None:
    found = match("np.sqrt(_x)", node)
    return build("_x ** 0.5", found) if found else None


def _rescale_with_heads(template: str) -> Rewrite:
    """As `_rescale`, in functions that have the number of heads as a parameter H."""
    rescale = _rescale(template)

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.FunctionDef) and "H" in parameters(node):
            for scores in ast.walk(node):
                for faulty in rescale(scores):
                    yield replace(node, (scores, faulty))

    return rewrite


def _scaled_by_another_size(node: ast.AST) -> Iterator[ast.AST]:
    scale = _scale(node)
    size = match("_x.shape[-1]", scale[1]["_d"]) if scale else None
    if scale and size:
        for axis in ("-2", "0"):
            found = {**scale[1], "_d": build(f"_x.shape[{axis}]", size)}
            yield _build_like(node, f"{scale[0]} / np.sqrt(_d)", found)


def _scaled_after_softmax(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.FunctionDef):
        return
    for scores in ast.walk(node):
        scale = _scale(scores)
        if scale:
            unscaled = build(*scale)
            for weights in _weights(node, scores):
                inner = replace(weights, (scores, unscaled))
                late = _build_like(scores, "_w / np.sqrt(_d)", scale[1], w=inner)
                yield replace(node, (scores, unscaled), (weights, late))


def _weights(function: ast.FunctionDef, scores: ast.AST) -> Iterator[ast.AST]:
    """The expressions in a function that turn scores into weights."""
    for node in ast.walk(function):
        call = match("_f(_x, *_r)", node)
        softmax = call and "softmax" in last_name(call["_f"])
        if node is not scores and (softmax or matches("_e / _e.sum(*_r)", node)):
            yield node


def _softmax_over(axis: str) -> Rewrite:
    """A softmax over another axis, changed in the function itself or in a call of it."""

    def change(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.keyword) and node.arg == "axis":
            return ast.keyword("axis", build(axis)) if matches("-1", node.value) else None
        return None

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        defined = isinstance(node, ast.FunctionDef) and {"exp", "sum"} <= names(node)
        if defined or matches("softmax(_x, axis=-1)", node):
            yield replace_where(node, change)

    return rewrite


def _without_keepdims(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and any(each.arg == "keepdims" for each in node.keywords):
        others = [each for each in node.keywords if each.arg != "keepdims"]
        yield ast.Call(node.func, node.args, others)


def _bias_as(template: str) -> Rewrite:
    """A function with a parameter `bias`, with the template instead of scores plus bias."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.FunctionDef) and "bias" in parameters(node):
            for biased in ast.walk(node):
                found = match("_s + bias", biased)
                if found:
                    yield replace(node, (biased, build(template, found)))

    return rewrite


_without_bias: Final = _bias_as("_s")


def _bias_after_softmax(node: ast.AST) -> Iterator[ast.AST]:
    for unbiased in _without_bias(node):
        for weights in ast.walk(unbiased):
            if matches("softmax(_x)", weights):
                yield replace(unbiased, (weights, build("_w + bias", w=weights)))


_scores_for_weights: Final = rule(
    "weights @ _v => scores @ _v", "np.einsum(_s, weights, _v) => np.einsum(_s, scores, _v)"
)


def _output_from_scores(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and {"scores", "weights"} <= names(node):
        for output in ast.walk(node):
            for faulty in _scores_for_weights(output):
                yield replace(node, (output, faulty))


FAULTS: Final[tuple[Fault, ...]] = (
    Fault("scale-dropped", FAMILY, "scores are not scaled: weights are too sharp", _rescale("{s}")),
    Fault("scale-doubled", FAMILY, "scores are doubled", _rescale("2 * ({s}) / np.sqrt(_d)")),
    Fault(
        "scale-inverted",
        FAMILY,
        "scores are multiplied by the square root of the head size instead of divided by it",
        _rescale("{s} * np.sqrt(_d)"),
    ),
    Fault(
        "scale-without-root",
        FAMILY,
        "scores are divided by the head size instead of its square root: weights are too flat",
        _rescale("{s} / _d"),
    ),
    Fault(
        "scale-fourth-root",
        FAMILY,
        "scores are divided by the fourth root of the head size: weights are too sharp",
        _rescale("{s} / _d ** 0.25"),
    ),
    Fault(
        "scale-of-all-heads",
        FAMILY,
        "scores are scaled by the size of all heads together instead of one head",
        _rescale_with_heads("{s} / np.sqrt(_d * H)"),
    ),
    Fault(
        "scale-by-heads",
        FAMILY,
        "scores are divided by the square root of the number of heads",
        _rescale_with_heads("{s} / np.sqrt(H)"),
    ),
    Fault(
        "scale-by-another-size",
        FAMILY,
        "scores are divided by the square root of another axis's size",
        _scaled_by_another_size,
    ),
    Fault(
        "scale-after-softmax",
        FAMILY,
        "the weights are scaled instead of the scores, so a row does not sum to one",
        _scaled_after_softmax,
    ),
    Fault(
        "softmax-dropped", FAMILY, "the scores are used as weights", rule("softmax(_s, *_r) => _s")
    ),
    Fault(
        "softmax-twice",
        FAMILY,
        "the softmax is applied twice, so the weights are almost uniform",
        rule("softmax(_s, *_r) => softmax(softmax(_s, *_r), *_r)"),
    ),
    Fault(
        "softmax-not-normalised",
        FAMILY,
        "a row is not divided by the sum of its exponentials",
        rule("_e / _e.sum(*_r) => _e"),
    ),
    Fault(
        "softmax-plus-one",
        FAMILY,
        "the sum of each row has one added, so the weights sum to less than one",
        rule("_e / _e.sum(*_r) => _e / (1 + _e.sum(*_r))"),
    ),
    Fault(
        "sum-epsilon",
        FAMILY,
        "the weights of a row sum to slightly less than one",
        rule("_e / _e.sum(*_r) => _e / (_e.sum(*_r) + 1e-05)"),
    ),
    Fault(
        "softmax-over-queries",
        FAMILY,
        "the weights of each key sum to one, instead of the weights of each query",
        _softmax_over("-2"),
    ),
    Fault(
        "softmax-over-batch",
        FAMILY,
        "weights sum to one across the batch instead of across keys",
        _softmax_over("0"),
    ),
    Fault(
        "softmax-over-everything", FAMILY, "all weights together sum to one", _softmax_over("None")
    ),
    Fault(
        "sum-over-another-axis",
        FAMILY,
        "the sum for a row is taken over another axis",
        rule("_x.sum(axis=-1, *_r) => _x.sum(axis=-2, *_r) => _x.sum(axis=0, *_r)"),
    ),
    Fault(
        "sum-of-everything",
        FAMILY,
        "each row uses the sum of all rows instead of its own",
        rule("_x.sum(axis=_i, keepdims=True) => _x.sum()"),
    ),
    Fault(
        "keepdims-dropped",
        FAMILY,
        "a number computed for each row is applied along another axis",
        _without_keepdims,
    ),
    Fault(
        "bias-scaled",
        FAMILY,
        "the bias is scaled together with the scores",
        rule("_c * _s + bias => _c * (_s + bias)"),
    ),
    Fault(
        "bias-for-scores",
        FAMILY,
        "the scores are replaced by their bias instead of added to it",
        rule("scores + _b => _b", "_s + bias => bias"),
    ),
    Fault("bias-dropped", FAMILY, "the bias has no effect", _without_bias),
    Fault(
        "bias-subtracted", FAMILY, "the bias is subtracted from the scores", _bias_as("_s - bias")
    ),
    Fault(
        "bias-after-softmax",
        FAMILY,
        "the bias is added to the weights instead of the scores",
        _bias_after_softmax,
    ),
    Fault(
        "answer-from-scores",
        FAMILY,
        "values are summed with the scores instead of the weights",
        _output_from_scores,
    ),
)
