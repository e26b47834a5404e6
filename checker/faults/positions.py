"""Positions: rotary and sinusoidal embeddings, ALiBi slopes, and which position a token has."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import build, last_name, match, matches, names, rule
from checker.faults.planting import Fault, Rewrite, replace, replace_where, walk_code

FAMILY: Final = "positions"
HALVES: Final = ("_x[..., :_n]", "_x[..., _n:]")
HALVES_OF_LAST_AXIS: Final = ("_x[..., :_x.shape[-1] // 2]", "_x[..., _x.shape[-1] // 2:]")
NEIGHBOURS: Final = ("_x[..., ::2]", "_x[..., 1::2]")
NEIGHBOURS_FROM_ZERO: Final = ("_x[..., 0::2]", "_x[..., 1::2]")
ALL_PAIRS: Final = ("concatenate", "half")  # rotates all pairs at once: the sign is the direction


def _sheared(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        waves = {_wave(node.left), _wave(node.right)}
        if waves == {"cos", "sin"} and not any(name in ast.unparse(node) for name in ALL_PAIRS):
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield ast.BinOp(node.left, other, node.right)


def _wave(node: ast.AST) -> str | None:
    """Whether a product is with a sine or a cosine."""
    waves = {name[:3] for name in names(node)} & {"cos", "sin"} if match("_a * _b", node) else set()
    return waves.pop() if len(waves) == 1 else None


def _repair(before: tuple[str, str], after: tuple[str, str]) -> Rewrite:
    """A function that pairs features in another way."""

    def change(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            for old, new in zip(before, after, strict=True):
                if found := match(old, node):
                    return build(new, found)
        return None

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        parts = [part for part in ast.walk(node) if change(part)]
        if isinstance(node, ast.FunctionDef) and len(parts) >= 2:
            yield replace_where(node, change)

    return rewrite


_neighbours_to_halves: Final = (
    _repair(NEIGHBOURS, HALVES_OF_LAST_AXIS),
    _repair(NEIGHBOURS_FROM_ZERO, HALVES_OF_LAST_AXIS),
)


def _halves_for_neighbours(node: ast.AST) -> Iterator[ast.AST]:
    for rewrite in _neighbours_to_halves:
        yield from rewrite(node)


def _sine_for_cosine(node: ast.AST) -> Iterator[ast.AST]:
    other = {"sin": "cos", "cos": "sin"}

    def change(part: ast.AST) -> ast.AST | None:
        if isinstance(part, ast.Attribute) and part.attr in other:
            return ast.Attribute(part.value, other[part.attr])
        return None

    if isinstance(node, ast.FunctionDef) and {"sin", "cos"} <= names(node):
        yield replace_where(node, change)


def _without_offset(node: ast.AST) -> Iterator[ast.AST]:
    masking = isinstance(node, ast.BinOp) and "Tk" in names(node)  # Tk - Tq: not this family
    if not masking:
        yield from _from_zero(node)


_from_zero: Final = rule(
    "np.arange(_a, _a + _n) => np.arange(_n)",
    "_p + np.arange(_n) => np.arange(_n)",
    "np.arange(_n) + _p => np.arange(_n)",
    "np.arange(_n)[:, None] + _p => np.arange(_n)[:, None]",
    "_p + np.arange(_n)[:, None] => np.arange(_n)[:, None]",
)


def _rotate(template: str) -> Rewrite:
    """A call that rotates, replaced by the template."""

    def rewrite(node: ast.AST) -> Iterator[ast.AST]:
        found = match("_f(_x, *_r)", node)
        if found and _rotates(found["_f"]):
            yield build(template, found)

    return rewrite


def _rotates(function: ast.expr) -> bool:
    return any(word in last_name(function).lower() for word in ("rotate", "rope", "turn"))


def _values_rotated(node: ast.AST) -> Iterator[ast.AST]:
    calls = [found for part in ast.walk(node) if (found := match("_f(_k, *_r)", part))]
    rotations = [found for found in calls if _rotates(found["_f"])]
    if isinstance(node, ast.FunctionDef) and rotations:
        for output in ast.walk(node):
            found = match("_w @ v", output)
            if found:
                rotated = build("_w @ _f(v, *_r)", {**rotations[-1], **found})
                yield replace(node, (output, rotated))


def _distance_negated(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        calls = [part for part in ast.walk(node) if matches("np.abs(_d)", part)]
        inside_abs = {id(part) for call in calls for part in ast.walk(call) if part is not call}
        for part in walk_code(node):
            if id(part) not in inside_abs:
                for faulty in _negated(part):
                    yield replace(node, (part, faulty))


_negated: Final = rule(
    "_i[:, None] - _j => _j - _i[:, None]",
    "_j - _i[:, None] => _i[:, None] - _j",
    "-slopes => slopes",
    "-slope => slope",
    "-slopes[_i] => slopes[_i]",
    "-np.abs(_d) => np.abs(_d)",
)

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "rotated-backwards",
        FAMILY,
        "every sine has the opposite sign, so tokens rotate backwards",
        rule("np.sin(_t) => -np.sin(_t)"),
    ),
    Fault(
        "rotation-sheared",
        FAMILY,
        "a rotation changes the length of the vector it rotates",
        _sheared,
    ),
    Fault(
        "rotate-half-sign",
        FAMILY,
        "the two features of a pair are rotated with the wrong sign",
        rule(
            "np.concatenate([-_b, _a], *_r) => np.concatenate([_b, -_a], *_r)"
            " => np.concatenate([_b, _a], *_r)",
            "np.stack([-_b, _a], *_r) => np.stack([_b, -_a], *_r) => np.stack([_b, _a], *_r)",
        ),
    ),
    Fault(
        "neighbours-for-halves",
        FAMILY,
        "a feature is paired with its neighbour instead of the one half the head size away",
        _repair(HALVES, NEIGHBOURS),
    ),
    Fault(
        "halves-for-neighbours",
        FAMILY,
        "a feature is paired with the one half the head size away instead of its neighbour",
        _halves_for_neighbours,
    ),
    Fault(
        "rejoined-in-another-order",
        FAMILY,
        "rotated features come back in a different order",
        rule(
            "np.stack([_a, _b], axis=-1).reshape(*_s) => np.concatenate([_a, _b], axis=-1)",
            "np.concatenate([_a * _c - _b * _s, _t], axis=-1) =>"
            " np.stack([_a * _c - _b * _s, _t], axis=-1).reshape((*_a.shape[:-1], -1))",
        ),
    ),
    Fault(
        "another-base",
        FAMILY,
        "the wavelengths are too close together or too far apart",
        rule(*(f"{base} => 1000.0 => 100000.0" for base in ("10000", "10000.0"))),
    ),
    Fault(
        "exponent-halved",
        FAMILY,
        "the wavelengths cover only half of their range on a log scale",
        rule(
            "np.arange(0, _d, 2) => np.arange(_d // 2)",
            "2 * np.arange(_n) => np.arange(_n)",
            "2 * _i / _d => _i / _d",
        ),
    ),
    Fault(
        "exponent-doubled",
        FAMILY,
        "the wavelengths cover twice their range on a log scale",
        rule(
            "_b ** (np.arange(*_r) / _d) => _b ** (2 * np.arange(*_r) / _d)",
            "_b ** (-np.arange(*_r) / _d) => _b ** (-2 * np.arange(*_r) / _d)",
        ),
    ),
    Fault(
        "exponent-sign",
        FAMILY,
        "the wavelengths get shorter from pair to pair instead of longer",
        rule("_b ** (-_e / _d) => _b ** (_e / _d)", "_b ** -(_e / _d) => _b ** (_e / _d)"),
    ),
    Fault("sine-for-cosine", FAMILY, "sine and cosine are swapped", _sine_for_cosine),
    Fault(
        "offset-dropped",
        FAMILY,
        "the positions of new tokens start from zero again",
        _without_offset,
    ),
    Fault(
        "offset-by-one",
        FAMILY,
        "the positions of new tokens are one too high or one too low",
        rule(
            "np.arange(_a, _a + _n) => np.arange(_a + 1, _a + _n + 1)"
            " => np.arange(_a - 1, _a + _n - 1)",
            "_p + np.arange(_n) => _p + 1 + np.arange(_n) => _p - 1 + np.arange(_n)",
            "np.arange(_n) + _p => np.arange(_n) + _p + 1 => np.arange(_n) + _p - 1",
            "np.arange(_n)[:, None] + _p => np.arange(_n)[:, None] + _p + 1"
            " => np.arange(_n)[:, None] + _p - 1",
        ),
    ),
    Fault(
        "counted-from-zero",
        FAMILY,
        "counting starts at zero instead of one",
        rule("np.arange(1, _n + 1) => np.arange(_n)", "np.arange(_n) + 1 => np.arange(_n)"),
    ),
    Fault(
        "padding-counted",
        FAMILY,
        "the position of a token is not the number of real tokens before it",
        rule(
            "np.cumsum(_k, axis=-1) - 1 => np.broadcast_to(np.arange(_k.shape[-1]), _k.shape)"
            " => np.cumsum(_k, axis=-1) => np.cumsum(_k, axis=0) - 1"
        ),
    ),
    Fault("rotated-twice", FAMILY, "a token is rotated twice", _rotate("_f(_f(_x, *_r), *_r)")),
    Fault("rotation-dropped", FAMILY, "queries or keys are not rotated", _rotate("_x")),
    Fault(
        "values-rotated",
        FAMILY,
        "values are rotated too, so the output depends on their positions",
        _values_rotated,
    ),
    Fault(
        "slopes-too-flat",
        FAMILY,
        "the slopes decrease half as fast from head to head",
        rule(
            *(f"{b} ** (-8 * _i / _h) => {b} ** (-4 * _i / _h)" for b in ("2", "2.0")),
            *(f"{b} ** (-8.0 * _i / _h) => {b} ** (-4.0 * _i / _h)" for b in ("2", "2.0")),
            "2 ** (-8 / _n) => 2 ** (-4 / _n)",
            "2.0 ** (-8.0 / _n) => 2.0 ** (-4.0 / _n)",
        ),
    ),
    Fault(
        "slopes-of-next-power",
        FAMILY,
        "the slopes are wrong when the number of heads is not a power of two",
        rule(
            "np.floor(np.log2(_h)) => np.ceil(np.log2(_h))",
            "_x[::2][:_n] => _x[:_n]",
            "_x[0::2][:_n] => _x[:_n]",
        ),
    ),
    Fault(
        "distance-negated",
        FAMILY,
        "the scores of distant keys are raised instead of lowered",
        _distance_negated,
    ),
    Fault(
        "distance-with-sign",
        FAMILY,
        "distance has a sign: scores are lowered on one side and raised on the other",
        rule("np.abs(_i - _j) => _i - _j => _j - _i"),
    ),
)
