"""Positions: rotary embedding, waves, slopes, and where a token stands."""

import ast
from collections.abc import Iterator
from typing import Final

from checker.faults.patterns import called, made, match, names, rule
from checker.faults.planting import everywhere, fault, places, replaced

FAMILY: Final = "positions"
HALVES: Final = ("_x[..., :_n]", "_x[..., _n:]")
WHOLE: Final = ("concatenate", "half")  # a turn of all pairs at once: its sign is its direction
NEIGHBOURS: Final = (
    ("_x[..., ::2]", "_x[..., 1::2]"),
    ("_x[..., 0::2]", "_x[..., 1::2]"),
)

fault("turned-backwards", FAMILY, "a later token is turned back where it is to be turned on")(
    rule("np.sin(_t) => -np.sin(_t)")
)


@fault("turn-sheared", FAMILY, "a turn changes the length of what it turns")
def _sheared(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        kinds = {_wave(node.left), _wave(node.right)}
        if kinds == {"cos", "sin"} and not any(each in ast.unparse(node) for each in WHOLE):
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield ast.BinOp(node.left, other, node.right)


def _wave(node: ast.AST) -> str | None:
    """Which of the two waves a product is with."""
    found = match("_a * _b", node)
    known = {each[:3] for each in names(node)} & {"cos", "sin"} if found else set()
    return known.pop() if len(known) == 1 else None


fault("half-turn-sign", FAMILY, "the two numbers of a pair are turned apart")(
    rule(
        "np.concatenate([-_b, _a], *_r) => np.concatenate([_b, -_a], *_r)"
        " => np.concatenate([_b, _a], *_r)",
        "np.stack([-_b, _a], *_r) => np.stack([_b, -_a], *_r) => np.stack([_b, _a], *_r)",
    )
)


@fault("neighbours-for-halves", FAMILY, "a number is paired with its neighbour, not half away")
def _as_neighbours(node: ast.AST) -> Iterator[ast.AST]:
    yield from _paired(node, HALVES, ("_x[..., ::2]", "_x[..., 1::2]"))


@fault("halves-for-neighbours", FAMILY, "a number is paired with one half away, not its neighbour")
def _as_halves(node: ast.AST) -> Iterator[ast.AST]:
    for pair in NEIGHBOURS:
        yield from _paired(
            node, pair, ("_x[..., :_x.shape[-1] // 2]", "_x[..., _x.shape[-1] // 2:]")
        )


def _paired(node: ast.AST, old: tuple[str, str], new: tuple[str, str]) -> Iterator[ast.AST]:
    """A function in which what is read as two parts is read as two others."""

    def change(place: ast.AST) -> ast.AST | None:
        if isinstance(place, ast.Subscript) and isinstance(place.ctx, ast.Load):
            for before, after in zip(old, new, strict=True):
                if found := match(before, place):
                    return made(after, found)
        return None

    if isinstance(node, ast.FunctionDef):
        done = [place for place in ast.walk(node) if change(place)]
        if len(done) >= 2:
            yield everywhere(node, change)


fault("rejoined-otherwise", FAMILY, "what was turned comes back in another order")(
    rule(
        "np.stack([_a, _b], axis=-1).reshape(*_s) => np.concatenate([_a, _b], axis=-1)",
        "np.concatenate([_a * _c - _b * _s, _t], axis=-1) =>"
        " np.stack([_a * _c - _b * _s, _t], axis=-1).reshape((*_a.shape[:-1], -1))",
    )
)
fault("another-base", FAMILY, "the wavelengths lie closer together, or further apart")(
    rule(*(f"{base} => 1000.0 => 100000.0" for base in ("10000", "10000.0")))
)
fault("exponent-halved", FAMILY, "the wavelengths cover half the range")(
    rule(
        "np.arange(0, _d, 2) => np.arange(_d // 2)",
        "2 * np.arange(_n) => np.arange(_n)",
        "2 * _i / _d => _i / _d",
    )
)
fault("exponent-doubled", FAMILY, "the wavelengths cover twice the range")(
    rule(
        "_b ** (np.arange(*_r) / _d) => _b ** (2 * np.arange(*_r) / _d)",
        "_b ** (-np.arange(*_r) / _d) => _b ** (-2 * np.arange(*_r) / _d)",
    )
)
fault("exponent-sign", FAMILY, "wavelengths grow short where they are to grow long")(
    rule("_b ** (-_e / _d) => _b ** (_e / _d)", "_b ** -(_e / _d) => _b ** (_e / _d)")
)


@fault("sine-for-cosine", FAMILY, "sine stands where cosine is to stand, and the other way round")
def _waves(node: ast.AST) -> Iterator[ast.AST]:
    other = {"sin": "cos", "cos": "sin"}

    def change(place: ast.AST) -> ast.AST | None:
        if isinstance(place, ast.Attribute) and place.attr in other:
            return ast.Attribute(place.value, other[place.attr])
        return None

    if isinstance(node, ast.FunctionDef) and {"sin", "cos"} <= names(node):
        yield everywhere(node, change)


@fault("offset-dropped", FAMILY, "new tokens are counted from the start again")
def _from_start(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.BinOp) or "Tk" not in names(node):  # Tk - Tq is masking's
        yield from _uncounted(node)


_uncounted = rule(
    "np.arange(_a, _a + _n) => np.arange(_n)",
    "_p + np.arange(_n) => np.arange(_n)",
    "np.arange(_n) + _p => np.arange(_n)",
    "np.arange(_n)[:, None] + _p => np.arange(_n)[:, None]",
    "_p + np.arange(_n)[:, None] => np.arange(_n)[:, None]",
)
fault("offset-by-one", FAMILY, "new tokens stand one place further on, or one further back")(
    rule(
        "np.arange(_a, _a + _n) => np.arange(_a + 1, _a + _n + 1)"
        " => np.arange(_a - 1, _a + _n - 1)",
        "_p + np.arange(_n) => _p + 1 + np.arange(_n) => _p - 1 + np.arange(_n)",
        "np.arange(_n) + _p => np.arange(_n) + _p + 1 => np.arange(_n) + _p - 1",
        "np.arange(_n)[:, None] + _p => np.arange(_n)[:, None] + _p + 1"
        " => np.arange(_n)[:, None] + _p - 1",
    )
)
fault("counted-from-zero", FAMILY, "what is to be counted from one is counted from zero")(
    rule("np.arange(1, _n + 1) => np.arange(_n)", "np.arange(_n) + 1 => np.arange(_n)")
)
fault("padding-counted", FAMILY, "positions count what is padding")(
    rule(
        "np.cumsum(_k, axis=-1) - 1 => np.broadcast_to(np.arange(_k.shape[-1]), _k.shape)"
        " => np.cumsum(_k, axis=-1) => np.cumsum(_k, axis=0) - 1",
    )
)


@fault("turned-twice", FAMILY, "a token is turned as if it stood twice as far on")
def _twice(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_f(_x, *_r)", node)
    if found and _turns(found["_f"]):
        yield made("_f(_f(_x, *_r), *_r)", found)


@fault("turn-dropped", FAMILY, "a token is not turned, wherever it stands")
def _unturned(node: ast.AST) -> Iterator[ast.AST]:
    found = match("_f(_x, *_r)", node)
    if found and _turns(found["_f"]):
        yield found["_x"]


def _turns(function: ast.expr) -> bool:
    return any(each in called(function).lower() for each in ("rotate", "rope", "turn"))


@fault("values-turned", FAMILY, "values are turned too, and answers depend on where they stand")
def _values(node: ast.AST) -> Iterator[ast.AST]:
    calls = [found for place in ast.walk(node) if (found := match("_f(_k, *_r)", place))]
    turns = [found for found in calls if _turns(found["_f"])]
    if isinstance(node, ast.FunctionDef) and turns:
        for place in ast.walk(node):
            found = match("_w @ v", place)
            if found:
                call = made("_w @ _f(v, *_r)", {**turns[-1], **found})
                yield replaced(node, {id(place): call})


fault("slopes-too-flat", FAMILY, "slopes fall half as fast from head to head")(
    rule(
        *(f"{b} ** (-8 * _i / _h) => {b} ** (-4 * _i / _h)" for b in ("2", "2.0")),
        *(f"{b} ** (-8.0 * _i / _h) => {b} ** (-4.0 * _i / _h)" for b in ("2", "2.0")),
        "2 ** (-8 / _n) => 2 ** (-4 / _n)",
        "2.0 ** (-8.0 / _n) => 2.0 ** (-4.0 / _n)",
    )
)
fault("slopes-of-next-power", FAMILY, "a head count that is no power of two gets other slopes")(
    rule(
        "np.floor(np.log2(_h)) => np.ceil(np.log2(_h))",
        "_x[::2][:_n] => _x[:_n]",
        "_x[0::2][:_n] => _x[:_n]",
    )
)


@fault("distance-turned", FAMILY, "what is far away is raised, where it is to be lowered")
def _turned_distance(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        inside = [each for each in ast.walk(node) if match("np.abs(_d)", each)]
        signless = {id(each) for call in inside for each in ast.walk(call) if each is not call}
        for place in places(node):
            if id(place) not in signless:
                for faulty in _with_other_sign(place):
                    yield replaced(node, {id(place): faulty})


_with_other_sign = rule(
    "_i[:, None] - _j => _j - _i[:, None]",
    "_j - _i[:, None] => _i[:, None] - _j",
    "-slopes => slopes",
    "-slope => slope",
    "-slopes[_i] => slopes[_i]",
    "-np.abs(_d) => np.abs(_d)",
)
fault("distance-with-sign", FAMILY, "distance has a sign: one side is lowered, the other raised")(
    rule("np.abs(_i - _j) => _i - _j => _j - _i")
)
