"""What is wrong or surprising about the values in a trace, in a few words each.

Nothing is compared with an answer. Each rule is something that holds in correct attention code
with conventional names: q, k, scores, exp, weights, keep, bias.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from checker.learner.calling import Scene
from checker.learner.steps import GIVEN, INNER, MADE, RETURNED, Array, Recording, Step

NEAR: Final = 1e-5  # from one, up to the rounding of float32
SCORES: Final = re.compile(r"scores?|logits|similarity|sim|energy", re.IGNORECASE)
BIAS: Final = re.compile(r"bias|mask", re.IGNORECASE)
HUGE: Final = 1e20  # a finite number this low stands for -inf
MANY: Final = 256  # numbers whose variance says something


def add_flags(record: Recording, tree: ast.Module) -> None:
    """Flag the steps of a record."""
    scenes = {number: Scene(call, tree) for number, call in record.calls.items()}
    final = {(step.call, step.name): step for step in record.steps}
    seen: set[str] = set()  # kinds of number that are not finite
    said: set[str] = set()  # about code, which may run several times
    for step in record.steps:
        scene = scenes[step.call]
        if step.kind != GIVEN:
            step.flags.extend(one for one in scene.of_the_code(step.line) if one not in said)
            said.update(step.flags)
        if step.array is not None:
            for rule in RULES:
                step.flags.extend(rule(step, scene))
            if final[step.call, step.name] is step and step.kind != INNER:
                step.flags.extend(_not_finite(step, seen, last=_is_last(step, record)))
                step.flags.extend(flag for rule in FINAL for flag in rule(step, scene))
            if step.times == 1 and step.kind != INNER:
                scene.values[step.name] = step.array


def _is_last(step: Step, record: Recording) -> bool:
    return step.kind == RETURNED and not record.calls[step.call].caller


def _not_finite(step: Step, seen: set[str], *, last: bool) -> Iterator[str]:
    """NaN and inf where they appear first, or are returned at the end; not where they are given."""
    assert step.array is not None
    if step.array.dtype.kind == "f":
        for what, found in ("NaN", np.isnan(step.array)), ("inf", np.isposinf(step.array)):
            if found.any():
                if step.kind != GIVEN and (what not in seen or last):
                    yield f"{what} in {found.sum()} of {step.array.size} places"
                seen.add(what)


def row_sums(step: Step, scene: Scene) -> Iterator[str]:
    """Weights sum to one over the last axis, or to zero if nothing may be attended to."""
    if step.is_weights and step.array is not None:
        sums = step.array.sum(axis=-1)
        if not ((np.abs(sums - 1) <= NEAR) | (sums == 0)).all():
            low, high = f"{sums.min():.4g}", f"{sums.max():.4g}"
            yield "rows sum to " + (low if high == low else f"values from {low} to {high}")


def all_zero_rows(step: Step, scene: Scene) -> Iterator[str]:
    """The largest exp(score - maximum) of a row is one."""
    scores = scene.values.get("scores")
    array = step.array
    if step.name != "exp" or step.kind != MADE or array is None or scores is None:
        return
    if array.ndim and array.shape == scores.shape and not scene.masks():
        rows = (array == 0).all(axis=-1) & np.isfinite(scores).any(axis=-1)
        if rows.any():
            yield f"exp is 0 in the whole row {_where(rows)}, although its scores are finite"


def scaled_products(step: Step, scene: Scene) -> Iterator[str]:
    """Scores are q . k / sqrt(D)."""
    array = step.array
    names = {n for n in scene.names(step.line) if n in scene.values and scene.values[n].ndim}
    used = step.kind == MADE and step.times == 1 and names == {"q", "k"}
    if not used or not SCORES.fullmatch(step.name) or array is None:
        return
    size = scene.values["q"].shape[-1] if scene.values["q"].ndim else 1
    with np.errstate(all="ignore"):
        products = _products(scene.values["q"], scene.values["k"], array.shape)
        if not products or not all(p.any() and np.isfinite(p).all() for p in products):
            return  # zeros tell nothing
        factors = [(array * p).sum() / (p * p).sum() for p in products]
        misses = [np.abs(array - c * p).max() for c, p in zip(factors, products, strict=True)]
    best = int(np.argmin(misses))
    if misses[best] > NEAR * np.abs(array).max():
        right = products[best] / np.sqrt(size)
        at = np.unravel_index(np.abs(array - right).argmax(), array.shape)
        place = [int(i) for i in at]
        yield f"at {place} it is {array[at]:.4g}, but q . k / sqrt({size}) is {right[at]:.4g}"
    elif abs(factors[best] * size**0.5 - 1) > NEAR:
        right_factor = f"1 / sqrt({size}) is {size**-0.5:.4g}"
        yield f"it is {factors[best]:.4g} times q . k; with {size} features, {right_factor}"


def _products(q: Array, k: Array, shape: tuple[int, ...]) -> list[Array]:
    """The products of queries and keys of this shape, for tokens before heads or after."""
    if not 1 < q.ndim == k.ndim or q.shape[-1] != k.shape[-1]:
        return []
    pairs = [(q, k)]
    if q.ndim == 4:
        pairs.append((np.moveaxis(q, 1, 2), np.moveaxis(k, 1, 2)))
    return [
        one @ np.moveaxis(other, -1, -2) for one, other in pairs
        if (*one.shape[:-1], other.shape[-2]) == shape and one.shape[:-2] == other.shape[:-2]
    ]  # fmt: skip


def masked_places(step: Step, scene: Scene) -> Iterator[str]:
    """Scores are -inf, and weights zero, at exactly the keys that a mask blocks."""
    if step.array is None or step.kind != MADE or step.times > 1:
        return
    array = step.array
    for name, keep in scene.masks():
        if (allowed := scene.aligned(keep, array)) is None:
            continue
        wrong = np.zeros(array.shape, bool)
        if step.is_weights:
            wrong = (array > 0) & ~allowed
        elif SCORES.fullmatch(step.name) and np.isneginf(array).any():
            wrong = np.isneginf(array) != ~allowed
        if wrong.any():
            at = tuple(_where(wrong))
            yield f"at {list(at)} it is {array[at]:.4g}, but {name} is {bool(allowed[at])} there"


def later_keys(step: Step, scene: Scene) -> Iterator[str]:
    """A causal mask allows no later key."""
    array = step.array
    causal = "causal" in step.function and step.kind == MADE and scene.allows(step.name)
    if causal and array is not None and array.dtype == bool and array.ndim > 1:
        later = np.triu(array, 1)
        if array.shape[-1] == array.shape[-2] and later.any():
            yield f"True at {_where(later)}: query {_where(later)[-2]} may attend to a later key"


def boolean_bias(step: Step, scene: Scene) -> Iterator[str]:
    """What is added to scores is a number."""
    if step.name == "bias" and step.type == "bool" and step.kind == MADE:
        yield "a bias of True and False: added to scores, True is 1"


def unequal_blocking(step: Step, scene: Scene) -> Iterator[str]:
    """Blocked keys are blocked equally: else a query attends to the least blocked."""
    named = step.kind == MADE and BIAS.search(step.name)
    if named and step.array is not None and step.array.dtype.kind == "f":
        low = np.unique(step.array[step.array < -HUGE])
        low = low[np.isfinite(low)]
        if low.size > 1:
            yield f"blocked places hold different numbers: {low[0]:.4g} and {low[-1]:.4g}"


def copies_in_turns(step: Step, scene: Scene) -> Iterator[str]:
    """Copies along an axis stay next to each other: the heads of a group, or of a sentence."""
    if step.kind == GIVEN or step.array is None or not step.array.size:
        return
    array = step.array
    for name, value in scene.values.items():
        if value.ndim != array.ndim or not value.size:
            continue
        grown = [a for a in range(array.ndim) if array.shape[a] != value.shape[a]]
        if len(grown) == 1:
            axis, (rep, rest) = grown[0], divmod(array.shape[grown[0]], value.shape[grown[0]])
            turns = np.concatenate([value] * rep, axis) if rep > 1 and not rest else value
            if _equal(array, turns) and not _equal(array, np.repeat(value, rep, axis)):
                yield f"copies of {name} along axis {axis} in turns: 0 1 0 1, not 0 0 1 1"


def drawn_scale(step: Step, scene: Scene) -> Iterator[str]:
    """Multiplying by a random matrix preserves the scale."""
    array = step.array
    if step.kind != RETURNED or array is None or array.ndim < 2 or array.size < MANY:
        return
    if scene.draws(step.line):
        times = float(array.std() * np.sqrt(array.shape[-2]))
        if not 0.8 <= times <= 1.25:
            rows = f"std {array.std():.3g} with {array.shape[-2]} rows"
            yield f"{rows}: multiplying by it makes numbers {times:.2g} times as large"


def shared_writing(step: Step, scene: Scene) -> Iterator[str]:
    """An array changes only when it is written to by its own name."""
    if step.written and step.shares:
        yield f"modified in place, and so is {', '.join(step.shares)}"


FINAL: Final = (row_sums, all_zero_rows)  # for what a name holds at the end
RULES: Final = (
    scaled_products, masked_places, later_keys, boolean_bias,
    unequal_blocking, copies_in_turns, drawn_scale, shared_writing,
)  # fmt: skip


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.array_equal(one, other, equal_nan=True))


def _where(places: Any) -> list[int]:
    return [int(i) for i in np.argwhere(places)[0]]
