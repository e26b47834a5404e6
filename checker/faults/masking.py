"""Masking: which keys a query may read, and what becomes of the others."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import Found, called, made, match, names, rule
from checker.faults.planting import fault, replaced

FAMILY: Final = "masking"
FILLS: Final = (  # where a blocked score is made minus infinity, and something else instead
    "np.where(_k, _a, -np.inf) => np.where(_k, _a, {0})",
    "np.where(_b, -np.inf, _a) => np.where(_b, {0}, _a)",
    "_a[_b] = -np.inf => _a[_b] = {0}",
    "np.triu(np.full(_s, -np.inf), *_r) => np.triu(np.full(_s, {0}), *_r)",
)
LOWERED: Final = {
    "blocked-at-plus-infinity": ("np.inf", "a blocked score is the highest there can be"),
    "blocked-at-minus-10": ("-10.0", "a blocked score is -10 and keeps a share"),
    "blocked-at-minus-100": ("-100.0", "a blocked score is -100, above what scores can be"),
    "blocked-at-minus-1e4": ("-10000.0", "a blocked score is -1e4, above what scores can be"),
    "blocked-at-minus-1e9": ("-1000000000.0", "a blocked score is -1e9, above what scores can be"),
    "blocked-at-lowest": (
        "np.finfo(np.result_type(_a)).min",
        "a blocked score is the lowest finite number, and a row at that height reads it",
    ),
    "blocked-at-zero": ("0.0", "a blocked score is zero, as good as many another"),
}
for _name, (_value, _line) in LOWERED.items():
    fault(_name, FAMILY, _line)(rule(*(each.format(_value) for each in FILLS)))

fault("mask-dropped", FAMILY, "keys that may not be read are read")(
    rule(
        "np.where(_k, _a, -np.inf) => _a",
        "np.where(_b, -np.inf, _a) => _a",
        "_a[_b] = -np.inf => pass",
    )
)
fault("mask-inverted", FAMILY, "what may be read is blocked, and what is blocked is read")(
    rule(
        "np.where(_k, _a, -np.inf) => np.where(~_k, _a, -np.inf)",
        "np.where(_b, -np.inf, _a) => np.where(~_b, -np.inf, _a)",
        "_a[~_k] = -np.inf => _a[_k] = -np.inf",
        "~_m => _m",
        "np.logical_not(_m) => _m",
    )
)
fault("mask-not-of-numbers", FAMILY, "every key counts as marked, for no number is opposite")(
    rule("~_m => (~_m.astype(int)).astype(bool)")
)
fault("mask-shifted", FAMILY, "each key is read under the mask of the key beside it")(
    rule(
        "np.where(_k, _a, -np.inf) => np.where(np.roll(_k, 1, axis=-1), _a, -np.inf)"
        " => np.where(np.roll(_k, -1, axis=-1), _a, -np.inf)",
        "np.where(_b, -np.inf, _a) => np.where(np.roll(_b, 1, axis=-1), -np.inf, _a)"
        " => np.where(np.roll(_b, -1, axis=-1), -np.inf, _a)",
    )
)
fault("mask-transposed", FAMILY, "a key may read a query, where the query may read the key")(
    rule(
        "np.where(_k, _a, -np.inf) => np.where(np.swapaxes(_k, -1, -2), _a, -np.inf)",
        "np.where(_b, -np.inf, _a) => np.where(np.swapaxes(_b, -1, -2), -np.inf, _a)",
    )
)
fault("mask-over-queries", FAMILY, "the mask of the keys blocks queries")(
    rule(
        "_m[:, None, None, :] => _m[:, None, :, None]",
        "_m[:, None, :] => _m[:, :, None]",
        "_m[..., None, :] => _m[..., :, None]",
    )
)
fault("mask-times-infinity", FAMILY, "a row with a key that may be read is nan")(
    rule(
        "np.where(_k, _a, -np.inf) => _a + (1 - _k) * -np.inf",
        "np.where(_b, -np.inf, _a) => _a + _b * -np.inf",
    )
)
fault("mask-added-as-numbers", FAMILY, "a key that may be read gains one, and all are read")(
    rule(
        "np.where(_k, _a, -np.inf) => _a + _k",
        "np.where(_b, -np.inf, _a) => _a + _b",
    )
)


@fault("mask-multiplied", FAMILY, "a blocked score counts as zero, not as nothing")
def _multiplied(node: ast.AST) -> Iterator[ast.AST]:
    found = match("np.where(_k, _a, -np.inf)", node)
    if found and not isinstance(found["_a"], ast.Constant):
        yield made("_a * _k", found)


def _masked(node: ast.AST) -> Found | None:
    """Scores under a mask: which may be read, and the scores."""
    found = match("np.where(_k, _a, -np.inf)", node)
    if found is None and (other := match("np.where(_b, -np.inf, _a)", node)):
        found = {"_k": made("~_b", other), "_a": other["_a"]}
    return found


@fault("mask-after-softmax", FAMILY, "blocked keys take a share, and nobody is given it back")
def _after_softmax(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_f(_x)", node)
    inner = _masked(found["_x"]) if found else None
    if found and inner:
        yield made("np.where(_k, _f(_a), 0.0)", {**inner, **found})
    if isinstance(node, ast.FunctionDef):
        yield from _late(node)


def _late(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The mask has a statement of its own: it moves to where the weights are made."""
    for statement in function.body:
        found = match("_s = _x", statement)
        mask = _masked(found["_x"]) if found else None
        if found and mask:
            for place in _softmaxes(function, names(found["_s"])):
                late = made("np.where(_k, _w, 0.0)", mask, w=place)
                yield replaced(function, {id(found["_x"]): mask["_a"], id(place): late})


def _softmaxes(function: ast.FunctionDef, given: set[str]) -> Iterator[ast.AST]:
    """Where a softmax is taken of something that has all these names in it."""
    for place in ast.walk(function):
        found = match("_f(_x)", place)
        if found and "softmax" in called(found["_f"]) and given <= names(found["_x"]):
            yield place


fault("mask-arms-exchanged", FAMILY, "what stands where a mask is true and where not is exchanged")(
    rule(
        "np.where(_k, _a, 0.0) => np.where(_k, 0.0, _a)",
        "np.where(_k, _a, 0) => np.where(_k, 0, _a)",
    )
)
fault("guard-dropped", FAMILY, "what was to count as zero counts as it stands")(
    rule("np.where(_k, _a, 0.0) => _a", "np.where(_k, _a, 0) => _a")
)
fault("masks-joined", FAMILY, "a key may be read where either mask allows it, not both")(
    rule("_a & _b => _a | _b", "np.logical_and(_a, _b) => np.logical_or(_a, _b)")
)
fault("masks-met", FAMILY, "a key is taken where both masks name it, not either")(
    rule("_a | _b => _a & _b", "np.logical_or(_a, _b) => np.logical_and(_a, _b)")
)
fault("one-mask-dropped", FAMILY, "one of two masks is without effect")(
    rule(
        "_a & _b => _a => _b",
        "_a | _b => _a => _b",
        "np.logical_and(_a, _b) => _a => _b",
        "np.logical_or(_a, _b) => _a => _b",
    )
)
fault("triangle-turned", FAMILY, "a token reads what follows it, not what came before")(
    rule("np.tril(_m, *_r) => np.triu(_m, *_r)", "np.triu(_m, *_r) => np.tril(_m, *_r)")
)
fault("triangle-dropped", FAMILY, "a token reads ahead")(
    rule("np.tril(_m, *_r) => _m", "np.triu(_m, *_r) => np.zeros_like(_m)")
)
fault(
    "any-over-another-axis", FAMILY, "what is asked of a query's keys is asked of something else"
)(
    rule(
        "_m.any(axis=-1, *_r) => _m.any(axis=-2, *_r)",
        "_m.all(axis=-1, *_r) => _m.all(axis=-2, *_r)",
    )
)
fault("diagonal-moved", FAMILY, "a token reads one token too many or one too few")(
    rule(
        *(
            f"np.{part}({given}) => np.{part}(_m, k={k} + 1) => np.{part}(_m, k={k} - 1)"
            for part in ("tril", "triu")
            for given, k in (("_m", "0"), ("_m, _k", "_k"), ("_m, k=_k", "_k"))
        )
    )
)
fault("first-with-first", FAMILY, "the first query stands at the first key, not last at last")(
    rule(
        *(
            f"np.{part}(_m, {k}_a - _b) => np.{part}(_m)"
            for part in ("tril", "triu")
            for k in ("", "k=")
        ),
        "np.arange(_n)[:, None] + _a - _b => np.arange(_n)[:, None]",
        "np.triu(_m, _a - _b + 1) => np.triu(_m, 1)",
        "np.triu(_m, k=_a - _b + 1) => np.triu(_m, k=1)",
    )
)

OTHER_SIDE: Final = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
TURNED: Final = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


@fault("border-moved", FAMILY, "what may be read ends one place sooner or later")
def _border(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not _drawn(node):
        other = OTHER_SIDE.get(type(node.ops[0]))
        if other:
            yield ast.Compare(node.left, [other()], node.comparators)


@fault("order-turned", FAMILY, "what lies before is taken for what lies behind")
def _order(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not _drawn(node):
        other = TURNED.get(type(node.ops[0]))
        if other:
            yield ast.Compare(node.left, [other()], node.comparators)


def _drawn(node: ast.AST) -> bool:
    """Whether chance decides: there the border itself is never met."""
    return bool(names(node) & {"random", "uniform"})
