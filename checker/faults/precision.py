"""Precision: the maximum in the softmax, dtypes, and computing block by block."""

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


def _running_maximum(template: str) -> Rewrite:
    """The maximum of two blocks, replaced by the template; not the maximum with a constant."""
    replaced = rule(f"np.maximum(_a, _b) => {template}")

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        found = match("np.maximum(_a, _b)", node)
        if found and not any(isinstance(each, ast.Constant) for each in found.values()):
            yield from replaced(node)

    return rewrite


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
        rule(
            "_d ** -0.5 => 1 / np.sqrt(_d)",
            "_x.astype(np.float32) => _x.astype(np.float64)",
            "_x.astype(_y.dtype) => _x",
            "np.zeros(_s, dtype=_y.dtype) => np.zeros(_s)",
            "np.float32 => np.float64",
        ),
    ),
    Fault(
        "answer-in-float32",
        FAMILY,
        "outputs are float32 whatever the dtype of the inputs",
        rule("_x.astype(_y.dtype) => _x.astype(np.float32)"),
    ),
    Fault(
        "size-rounded-down",
        FAMILY,
        "the square root of the head size is rounded down to a whole number",
        rule("np.sqrt(_x.shape[_i]) => int(np.sqrt(_x.shape[_i]))"),
    ),
    Fault(
        "old-sums-not-rescaled",
        FAMILY,
        "earlier blocks are not rescaled when the running maximum rises, so they count too much",
        rule(
            "_a = _a * _r + _x => _a = _a + _x",
            "_a = _r * _a + _x => _a = _a + _x",
            "_a *= np.exp(_r) => pass",
            "_a *= rescale => pass",
        ),
    ),
    Fault(
        "old-sums-lost",
        FAMILY,
        "only the last block counts",
        rule("_a = _a * _r + _x => _a = _x", "_a = _r * _a + _x => _a = _x", "_a += _x => _a = _x"),
    ),
    Fault(
        "rescale-inverted",
        FAMILY,
        "an exponent has the opposite sign, so what should shrink grows",
        _exponent_negated,
    ),
    Fault(
        "maximum-of-last-block",
        FAMILY,
        "the running maximum can fall, so the running sums overflow",
        _running_maximum("_b"),
    ),
    Fault(
        "maximum-of-first-block",
        FAMILY,
        "the running maximum keeps its first value",
        _running_maximum("_a"),
    ),
    Fault(
        "running-maximum-from-zero",
        FAMILY,
        "the running maximum starts at zero, so rows of very low scores become 0/0",
        rule("_m = np.full(_s, -np.inf, *_r) => _m = np.zeros(_s, *_r)"),
    ),
    Fault(
        "tail-skipped",
        FAMILY,
        "keys after the last full block are not attended to",
        rule("range(0, _n, _b) => range(0, _n - _n % _b, _b)"),
    ),
    Fault(
        "first-block-skipped",
        FAMILY,
        "the first block is skipped",
        rule("range(0, _n, _b) => range(_b, _n, _b)"),
    ),
    Fault(
        "block-short",
        FAMILY,
        "the last key of every block is skipped",
        rule(
            "_x[_i:_i + _b] => _x[_i:_i + _b - 1]",
            "_x[..., _i:_i + _b, :] => _x[..., _i:_i + _b - 1, :]",
        ),
    ),
    Fault(
        "block-long",
        FAMILY,
        "the first key of every block after the first is counted twice",
        rule(
            "_x[_i:_i + _b] => _x[_i:_i + _b + 1]",
            "_x[..., _i:_i + _b, :] => _x[..., _i:_i + _b + 1, :]",
        ),
    ),
    Fault(
        "halves-merged-by-maximum",
        FAMILY,
        "two merged parts get only the total weight of the heavier one",
        rule("np.logaddexp(_a, _b) => np.maximum(_a, _b)"),
    ),
    Fault(
        "halves-merged-by-count",
        FAMILY,
        "two merged parts count equally, whatever their total weights",
        rule("np.exp(_a - np.logaddexp(_b, _c)) => 0.5", "np.exp(_a - lse) => 0.5"),
    ),
    Fault(
        "total-without-maximum",
        FAMILY,
        "the log-sum-exp of a row leaves out the maximum of the row",
        rule("_m + np.log(_s) => np.log(_s)", "np.log(_s) + _m => np.log(_s)"),
    ),
)
