"""Precision: the maximum in the softmax, and dtypes."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import build, match, rule
from checker.faults.planting import Fault, Rewrite

FAMILY: Final = "precision"


def _exponentials_as(dtype: str) -> Rewrite:
    return rule(f"np.exp(_x) => np.exp(_x).astype(np.{dtype}).astype(_x.dtype)")


def _scores_as(dtype: str) -> Rewrite:
    return rule(
        f"_q @ _k.swapaxes(-1, -2) =>"
        f" (_q @ _k.swapaxes(-1, -2)).astype(np.{dtype}).astype(_q.dtype)",
        f"np.einsum(_s, q, _k) => np.einsum(_s, q, _k).astype(np.{dtype}).astype(q.dtype)",
    )


def _exponent_negated(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.exp(_a - _b)", node)
    if found and all(isinstance(found[name], ast.Name) for name in ("_a", "_b")):
        yield build("np.exp(_b - _a)", found)


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "maximum-dropped",
        FAMILY,
        "the maximum of a row is not subtracted, so very high or very low scores become nan",
        rule("_s - _s.max(*_r) => _s", "np.exp(_s - _m) => np.exp(_s)"),
    ),
    Fault(
        "maximum-added",
        FAMILY,
        "the maximum of a row is added instead of subtracted, so high scores overflow",
        rule("_s - _s.max(*_r) => _s + _s.max(*_r)"),
    ),
    Fault(
        "maximum-of-everything",
        FAMILY,
        "the maximum of all rows is subtracted, so rows with much lower scores become 0/0",
        rule("_s.max(axis=_i, keepdims=True) => _s.max()"),
    ),
    Fault(
        "maximum-over-another-axis",
        FAMILY,
        "the maximum subtracted from a row is taken over another axis",
        rule("_s.max(axis=-1, *_r) => _s.max(axis=-2, *_r) => _s.max(axis=0, *_r)"),
    ),
    Fault(
        "maximum-clipped-at-zero",
        FAMILY,
        "a row maximum below zero counts as zero, so rows of very low scores become 0/0",
        rule("_s.max(*_r) => np.maximum(_s.max(*_r), 0)"),
    ),
    Fault(
        "maximum-made-minimum",
        FAMILY,
        "the minimum of a row is subtracted instead of its maximum, so high scores overflow",
        rule("_s - _s.max(*_r) => _s - _s.min(*_r)"),
    ),
    Fault(
        "maximum-made-mean",
        FAMILY,
        "the mean of a row is subtracted instead of its maximum, so one very high score overflows",
        rule("_s - _s.max(*_r) => _s - _s.mean(*_r)"),
    ),
    Fault(
        "maximum-made-magnitude",
        FAMILY,
        "the largest absolute score of a row is subtracted, so rows of very low scores become 0/0",
        rule("_s - _s.max(*_r) => _s - np.abs(_s).max(*_r)"),
    ),
    Fault(
        "maximum-of-weights",
        FAMILY,
        "exponentials overflow before they are divided by their maximum",
        rule("np.exp(_s - _s.max(*_r)) => np.exp(_s) / np.exp(_s.max(*_r))"),
    ),
    Fault(
        "scores-clipped",
        FAMILY,
        "scores above 80 are treated as 80, and scores below -80 as -80",
        rule("_s - _s.max(*_r) => np.clip(_s, -80, 80)"),
    ),
    Fault(
        "nan-made-zero",
        FAMILY,
        "nan and infinite scores are replaced, but high scores still overflow",
        rule("_s - _s.max(*_r) => np.nan_to_num(_s, posinf=0.0)"),
    ),
    Fault(
        "old-sums-not-rescaled",
        FAMILY,
        "blocks of 16 keys are not rescaled when a later block has a higher maximum",
        rule(
            "_s.max(axis=_i, keepdims=True) => np.maximum.accumulate(_s, axis=-1)"
            "[..., np.minimum(np.arange(_s.shape[-1]) | 15, _s.shape[-1] - 1)]"
        ),
    ),
    Fault(
        "base-two",
        FAMILY,
        "the softmax uses powers of 2 instead of powers of e, so the weights are too flat",
        rule("np.exp(_x) => np.exp2(_x)"),
    ),
    Fault(
        "weights-in-float16",
        FAMILY,
        "weights are rounded to float16: three digits, and overflow above 65504",
        _exponentials_as("float16"),
    ),
    Fault(
        "scores-in-float16",
        FAMILY,
        "scores are rounded to float16: three digits, and overflow above 65504",
        _scores_as("float16"),
    ),
    Fault(
        "weights-in-float32",
        FAMILY,
        "weights are rounded to float32: seven digits",
        _exponentials_as("float32"),
    ),
    Fault(
        "scores-in-float32",
        FAMILY,
        "scores are rounded to float32: seven digits",
        _scores_as("float32"),
    ),
    Fault(
        "answer-in-float64",
        FAMILY,
        "float32 inputs give float64 outputs",
        rule("_d ** -0.5 => 1 / np.sqrt(_d)", "np.float32 => np.float64"),
    ),
    Fault(
        "size-rounded-down",
        FAMILY,
        "the square root of the head size is rounded down to a whole number",
        rule("np.sqrt(_x.shape[_i]) => int(np.sqrt(_x.shape[_i]))"),
    ),
    Fault(
        "rescale-inverted",
        FAMILY,
        "an exponent has the opposite sign, so what should shrink grows",
        _exponent_negated,
    ),
)
