"""Masking: which keys a query may attend to, and what happens to the others."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import Bindings, build, last_name, match, names, rule
from checker.faults.planting import Fault, Rewrite, replace

FAMILY: Final = "masking"
FILLS: Final = (  # sets blocked scores to minus infinity => sets them to another value
    "np.where(_k, _a, -np.inf) => np.where(_k, _a, {0})",
    "np.where(_b, -np.inf, _a) => np.where(_b, {0}, _a)",
    "_a[_b] = -np.inf => _a[_b] = {0}",
)
OFF_BY_ONE: Final = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
REVERSED: Final = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _fill(value: str) -> Rewrite:
    """Blocked scores get this value instead of minus infinity."""
    return rule(*(line.format(value) for line in FILLS))


def _mask_multiplied(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.where(_k, _a, -np.inf)", node)
    if found and not isinstance(found["_a"], ast.Constant):
        yield build("_a * _k", found)


def _masked_scores(node: ast.AST) -> Bindings | None:
    """Masked scores: the mask of allowed keys as `_k`, the scores as `_a`."""
    found = match("np.where(_k, _a, -np.inf)", node)
    if found is None and (blocked := match("np.where(_b, -np.inf, _a)", node)):
        found = {"_k": build("~_b", blocked), "_a": blocked["_a"]}
    return found


def _mask_after_softmax(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_f(_x)", node)
    masked = _masked_scores(found["_x"]) if found else None
    if found and masked:
        yield build("np.where(_k, _f(_a), 0.0)", {**masked, **found})
    if isinstance(node, ast.FunctionDef):
        yield from _mask_moved_to_weights(node)


def _mask_moved_to_weights(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Move a mask that has its own statement to where the softmax computes the weights."""
    for statement in function.body:
        found = match("_s = _x", statement)
        masked = _masked_scores(found["_x"]) if found else None
        if found and masked:
            for softmax in _softmax_calls(function, names(found["_s"])):
                late = build("np.where(_k, _w, 0.0)", masked, w=softmax)
                yield replace(function, (found["_x"], masked["_a"]), (softmax, late))


def _softmax_calls(function: ast.FunctionDef, used: set[str]) -> Iterator[ast.AST]:
    """The softmax calls whose argument uses all these names."""
    for node in ast.walk(function):
        found = match("_f(_x)", node)
        if found and "softmax" in last_name(found["_f"]) and used <= names(found["_x"]):
            yield node


def _off_by_one(node: ast.AST) -> Iterator[ast.AST]:
    yield from _compared(node, OFF_BY_ONE)


def _reversed(node: ast.AST) -> Iterator[ast.AST]:
    yield from _compared(node, REVERSED)


def _compared(
    node: ast.AST, operators: dict[type[ast.cmpop], type[ast.cmpop]]
) -> Iterator[ast.AST]:
    """A comparison with another operator, unless it compares with a random number."""
    random = names(node) & {"random", "uniform"}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not random:
        operator = operators.get(type(node.ops[0]))
        if operator:
            yield ast.Compare(node.left, [operator()], node.comparators)


FAULTS: Final[tuple[Fault, ...]] = (
    Fault("blocked-at-plus-infinity", FAMILY, "a blocked score is plus infinity", _fill("np.inf")),
    Fault(
        "blocked-at-minus-10",
        FAMILY,
        "a blocked score is -10, so blocked keys still get some weight",
        _fill("-10.0"),
    ),
    *(
        Fault(
            f"blocked-at-minus-{size}",
            FAMILY,
            f"a blocked score is -{size}, although allowed scores can be lower",
            _fill(value),
        )
        for size, value in (("100", "-100.0"), ("1e4", "-10000.0"), ("1e9", "-1000000000.0"))
    ),
    Fault(
        "blocked-at-lowest",
        FAMILY,
        "a blocked score is the lowest finite number and gets weight in rows without higher scores",
        _fill("np.finfo(np.result_type(_a)).min"),
    ),
    Fault(
        "blocked-at-zero", FAMILY, "a blocked score is zero, so its key gets weight", _fill("0.0")
    ),
    Fault(
        "mask-dropped",
        FAMILY,
        "the mask has no effect: blocked keys are attended to",
        rule(
            "np.where(_k, _a, -np.inf) => _a",
            "np.where(_b, -np.inf, _a) => _a",
            "_a[_b] = -np.inf => pass",
        ),
    ),
    Fault(
        "mask-inverted",
        FAMILY,
        "the mask is inverted: blocked keys are attended to, and allowed keys are blocked",
        rule(
            "np.where(_k, _a, -np.inf) => np.where(~_k, _a, -np.inf)",
            "np.where(_b, -np.inf, _a) => np.where(~_b, -np.inf, _a)",
            "_a[~_k] = -np.inf => _a[_k] = -np.inf",
            "~_m => _m",
        ),
    ),
    Fault(
        "mask-inverted-as-integers",
        FAMILY,
        "inverting a mask makes every entry True",
        rule("~_m => (~_m.astype(int)).astype(bool)"),
    ),
    Fault(
        "mask-shifted",
        FAMILY,
        "each key uses the mask of the key next to it",
        rule(
            "np.where(_k, _a, -np.inf) => np.where(np.roll(_k, 1, axis=-1), _a, -np.inf)"
            " => np.where(np.roll(_k, -1, axis=-1), _a, -np.inf)",
            "np.where(_b, -np.inf, _a) => np.where(np.roll(_b, 1, axis=-1), -np.inf, _a)"
            " => np.where(np.roll(_b, -1, axis=-1), -np.inf, _a)",
        ),
    ),
    Fault(
        "mask-transposed",
        FAMILY,
        "the mask has queries and keys swapped",
        rule(
            "np.where(_k, _a, -np.inf) => np.where(np.swapaxes(_k, -1, -2), _a, -np.inf)",
            "np.where(_b, -np.inf, _a) => np.where(np.swapaxes(_b, -1, -2), -np.inf, _a)",
        ),
    ),
    Fault(
        "mask-over-queries",
        FAMILY,
        "the mask for keys is applied to queries",
        rule(
            "_m[:, None, None, :] => _m[:, None, :, None]",
            "_m[:, None, :] => _m[:, :, None]",
            "_m[..., None, :] => _m[..., :, None]",
        ),
    ),
    Fault(
        "mask-times-infinity",
        FAMILY,
        "every row with an allowed key becomes nan",
        rule(
            "np.where(_k, _a, -np.inf) => _a + (1 - _k) * -np.inf",
            "np.where(_b, -np.inf, _a) => _a + _b * -np.inf",
        ),
    ),
    Fault(
        "mask-added-as-numbers",
        FAMILY,
        "the mask only adds one to some scores, so no key is blocked",
        rule("np.where(_k, _a, -np.inf) => _a + _k", "np.where(_b, -np.inf, _a) => _a + _b"),
    ),
    Fault(
        "mask-multiplied",
        FAMILY,
        "a blocked score is multiplied by zero, so blocked keys still get weight",
        _mask_multiplied,
    ),
    Fault(
        "mask-after-softmax",
        FAMILY,
        "blocked keys take part in the softmax, so the allowed weights sum to less than one",
        _mask_after_softmax,
    ),
    Fault(
        "mask-branches-exchanged",
        FAMILY,
        "entries that should be kept are zero, and entries that should be zero are kept",
        rule("np.where(_k, _a, 0.0) => np.where(_k, 0.0, _a)"),
    ),
    Fault(
        "guard-dropped",
        FAMILY,
        "entries that should be set to zero keep their values",
        rule("np.where(_k, _a, 0.0) => _a"),
    ),
    Fault(
        "or-for-and",
        FAMILY,
        "either mask alone can allow a key, instead of both together",
        rule("np.minimum(_a, _b) => np.maximum(_a, _b)"),
    ),
    Fault(
        "one-mask-dropped",
        FAMILY,
        "one of two masks has no effect",
        rule("np.minimum(_a, _b) => _a => _b"),
    ),
    Fault(
        "triangle-flipped",
        FAMILY,
        "a token attends to later tokens instead of earlier ones",
        rule("np.tril(_m, *_r) => np.triu(_m, *_r)", "np.triu(_m, *_r) => np.tril(_m, *_r)"),
    ),
    Fault(
        "triangle-dropped",
        FAMILY,
        "a token also attends to later tokens",
        rule("np.tril(_m, *_r) => _m", "np.triu(_m, *_r) => np.zeros_like(_m)"),
    ),
    Fault(
        "any-over-another-axis",
        FAMILY,
        "the check whether a query has any allowed key looks along the wrong axis",
        rule("_m.any(axis=-1, *_r) => _m.any(axis=-2, *_r)"),
    ),
    Fault(
        "diagonal-moved",
        FAMILY,
        "a token attends to one token too many or one too few",
        rule(
            "np.tril(_m) => np.tril(_m, k=1) => np.tril(_m, k=-1)",
            "np.triu(_m, k=_k) => np.triu(_m, k=_k + 1) => np.triu(_m, k=_k - 1)",
        ),
    ),
    Fault(
        "border-moved",
        FAMILY,
        "the allowed range ends one position too early or too late",
        _off_by_one,
    ),
    Fault(
        "first-key-lost",
        FAMILY,
        "the first allowed key is blocked too",
        rule(
            "np.arange(_n) < _l => (np.arange(_n) < _l) & (np.arange(_n) > 0)",
            "np.arange(_n) >= _l => (np.arange(_n) >= _l) | (np.arange(_n) == 0)",
        ),
    ),
    Fault(
        "last-key-lost",
        FAMILY,
        "the last allowed key is blocked too",
        rule(
            "np.arange(_n) < _l => np.arange(_n) < _l - 1",
            "np.arange(_n) >= _l => np.arange(_n) >= _l - 1",
        ),
    ),
    Fault(
        "order-reversed",
        FAMILY,
        "earlier positions are treated as later ones, and later ones as earlier",
        _reversed,
    ),
)
