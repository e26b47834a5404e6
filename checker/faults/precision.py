"""Kernels and precision: the maximum, dtypes, what is computed block by block."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import made, match, rule
from checker.faults.planting import fault

FAMILY: Final = "precision"

fault("maximum-dropped", FAMILY, "exponentials overflow, or all vanish, on ordinary rows")(
    rule("_s - _s.max(*_r) => _s", "np.exp(_s - _m) => np.exp(_s)")
)
fault("maximum-added", FAMILY, "a row is raised by its maximum, not lowered: it overflows")(
    rule("_s - _s.max(*_r) => _s + _s.max(*_r)")
)
fault("maximum-of-everything", FAMILY, "rows far below the highest of all become 0/0")(
    rule("_s.max(axis=_i, keepdims=True) => _s.max()")
)
fault("maximum-over-another-axis", FAMILY, "a row is lowered by the maximum of something else")(
    rule("_s.max(axis=-1, *_r) => _s.max(axis=-2, *_r) => _s.max(axis=0, *_r)")
)
fault("maximum-clipped-at-zero", FAMILY, "rows far below zero become 0/0")(
    rule("_s.max(*_r) => np.maximum(_s.max(*_r), 0)")
)
fault("maximum-made-minimum", FAMILY, "a row with far lower scores in it overflows")(
    rule("_s - _s.max(*_r) => _s - _s.min(*_r)")
)
fault("maximum-made-mean", FAMILY, "a row with one score far above the others overflows")(
    rule("_s - _s.max(*_r) => _s - _s.mean(*_r)")
)
fault("maximum-made-magnitude", FAMILY, "rows far below zero become 0/0 as their magnitude grows")(
    rule("_s - _s.max(*_r) => _s - np.abs(_s).max(*_r)")
)
fault("maximum-of-weights", FAMILY, "exponentials overflow before anything is taken off")(
    rule("np.exp(_s - _s.max(*_r)) => np.exp(_s) / np.exp(_s.max(*_r))")
)
fault("scores-clipped", FAMILY, "scores beyond 80 are all alike")(
    rule("_s - _s.max(*_r) => np.clip(_s, -80, 80)")
)
fault("nan-made-zero", FAMILY, "what overflows is answered with zeros")(
    rule("_s - _s.max(*_r) => np.nan_to_num(_s, posinf=0.0)")
)
fault("base-two", FAMILY, "the softmax is of powers of two, too flat")(
    rule("np.exp(_x) => np.exp2(_x)")
)
for _bits, _loss in (("16", "three digits, and overflow at 65504"), ("32", "seven digits")):
    fault(
        f"weights-in-float{_bits}", FAMILY, f"weights hold no more than float{_bits} does: {_loss}"
    )(rule(f"np.exp(_x) => np.exp(_x).astype(np.float{_bits}).astype(_x.dtype)"))
    fault(
        f"scores-in-float{_bits}", FAMILY, f"scores hold no more than float{_bits} does: {_loss}"
    )(
        rule(
            f"_q @ _k.swapaxes(-1, -2) =>"
            f" (_q @ _k.swapaxes(-1, -2)).astype(np.float{_bits}).astype(_q.dtype)",
            f"np.einsum(_s, q, _k) => np.einsum(_s, q, _k).astype(np.float{_bits}).astype(q.dtype)",
        )
    )
fault("answer-in-float64", FAMILY, "float32 goes in and float64 comes out")(
    rule(
        "_d ** -0.5 => 1 / np.sqrt(_d)",
        "_x.astype(np.float32) => _x.astype(np.float64)",
        "_x.astype(_y.dtype) => _x",
        "np.zeros(_s, dtype=_y.dtype) => np.zeros(_s)",
        "np.float32 => np.float64",
    )
)
fault("answer-in-float32", FAMILY, "whatever goes in, float32 comes out")(
    rule("_x.astype(_y.dtype) => _x.astype(np.float32)")
)
fault("size-rounded-down", FAMILY, "scores are divided by the whole part of the root")(
    rule("np.sqrt(_x.shape[_i]) => int(np.sqrt(_x.shape[_i]))")
)

fault("old-sums-not-rescaled", FAMILY, "what was summed under a lower maximum weighs too much")(
    rule(
        "_a = _a * _r + _x => _a = _a + _x",
        "_a = _r * _a + _x => _a = _a + _x",
        "_a *= np.exp(_r) => pass",
        "_a *= rescale => pass",
    )
)
fault("old-sums-lost", FAMILY, "only the last block counts")(
    rule("_a = _a * _r + _x => _a = _x", "_a = _r * _a + _x => _a = _x", "_a += _x => _a = _x")
)


@fault("rescale-inverted", FAMILY, "old sums grow where they are to shrink")
def _inverted(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.exp(_a - _b)", node)
    if found and all(isinstance(found[each], ast.Name) for each in ("_a", "_b")):
        yield made("np.exp(_b - _a)", found)


def _named(node: ast.AST) -> bool:
    """Whether a maximum is of two blocks, not of something and a bound."""
    found = match("np.maximum(_a, _b)", node)
    return bool(found and not any(isinstance(each, ast.Constant) for each in found.values()))


@fault("maximum-of-last-block", FAMILY, "the running maximum can fall, and sums overflow")
def _last_block(node: ast.AST) -> Iterator[ast.AST]:
    if _named(node):
        yield from rule("np.maximum(_a, _b) => _b")(node)


@fault("maximum-of-first-block", FAMILY, "the running maximum stays where it began")
def _first_block(node: ast.AST) -> Iterator[ast.AST]:
    if _named(node):
        yield from rule("np.maximum(_a, _b) => _a")(node)


fault("running-maximum-from-zero", FAMILY, "rows that lie below zero are lowered too far")(
    rule("_m = np.full(_s, -np.inf, *_r) => _m = np.zeros(_s, *_r)")
)
fault("tail-skipped", FAMILY, "keys that do not fill a block are not read")(
    rule("range(0, _n, _b) => range(0, _n - _n % _b, _b)")
)
fault("first-block-skipped", FAMILY, "the first block is not read")(
    rule("range(0, _n, _b) => range(_b, _n, _b)")
)
fault("block-short", FAMILY, "the last of every block is not read")(
    rule(
        "_x[_i:_i + _b] => _x[_i:_i + _b - 1]",
        "_x[..., _i:_i + _b, :] => _x[..., _i:_i + _b - 1, :]",
    )
)
fault("block-long", FAMILY, "the first of every block but one is read twice")(
    rule(
        "_x[_i:_i + _b] => _x[_i:_i + _b + 1]",
        "_x[..., _i:_i + _b, :] => _x[..., _i:_i + _b + 1, :]",
    )
)
fault("halves-merged-by-maximum", FAMILY, "two parts together weigh as much as the heavier")(
    rule("np.logaddexp(_a, _b) => np.maximum(_a, _b)")
)
fault("halves-merged-by-count", FAMILY, "two parts count alike, whatever weight lies in them")(
    rule("np.exp(_a - np.logaddexp(_b, _c)) => 0.5", "np.exp(_a - lse) => 0.5")
)
fault("total-without-maximum", FAMILY, "the logarithm of a row's sum lacks the row's maximum")(
    rule("_m + np.log(_s) => np.log(_s)", "np.log(_s) + _m => np.log(_s)")
)
