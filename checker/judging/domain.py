"""A kata's domain: the kinds of input that its contract allows, and inputs of every kind.

A file in `checker/domains` declares

- `FEATURES`: what can differ between inputs, such as sizes, scores, mask or memory layout. Each
  feature maps the names of its kinds to what `build` needs to make one; the ordinary kind is first.
- `EDGES`: kinds that are each tried once, with everything else ordinary, such as block borders.
- `build(rng, **kinds)`: inputs of these kinds, by feature.
- `FUNCTION`: the name of the function that takes the inputs;
- `SAME`: by label, the places of inputs that are one array in a further case, which has the sizes
  of the kind that `EQUAL` names;
- `call(subject, *inputs)`: how answers are made, if not by `FUNCTION` alone;
- `TOLERANCES`: by kind, where it is not that of the dtype (those of `kinds` unless declared).

The cases of a domain are the ordinary one, every kind by itself, every edge, and then the rows of
an orthogonal array, in which every two kinds of different features meet.
"""

import runpy
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from checker.judging.comparisons import Array, Broken, assert_array, assert_same, is_same, unpack
from checker.judging.inputs import exchanged, in_eighths, reordered
from checker.judging.kinds import EDGES, TOLERANCES, Rng

Answer = list[Array] | Exception
Inputs = tuple[Any, ...]
Kinds = dict[str, str]

NONE: Final = "no leading axes"
AGAIN: Final = "again"  # a feature: the ordinary inputs once more, but for one
ORDERS: Final = {" in other order": reordered, " with two neighbours exchanged": exchanged}
SAME: Final = "same array"  # a feature with the kinds of `SAME`
BACKWARDS: Final = ", the last of them backwards"  # a view of the same array, after such a kind
PARTS: Final = (0, 32, 96, 1 << 20)  # cases that are asked in one request
PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23)


@dataclass(frozen=True)
class Case:
    """One choice of a kind for every feature; `label` names those that are not ordinary."""

    kinds: Kinds
    label: str


class Domain:
    """The declaration in a file of `checker/domains`."""

    def __init__(self, file: Path) -> None:
        declared = runpy.run_path(str(file))
        self.features: dict[str, dict[str, Any]] = declared["FEATURES"]
        self.edges: dict[str, dict[str, Any]] = declared.get("EDGES", {})
        self.same: dict[str, tuple[int, ...]] = declared.get("SAME", {})
        self.equal: str = declared.get("EQUAL", "all sizes two")
        self.build: Callable[..., Inputs] = declared["build"]
        self.function: str = declared["FUNCTION"]
        self.call: Callable[..., Any] | None = declared.get("call")
        self.tolerances: dict[str, float] = declared.get("TOLERANCES", TOLERANCES)
        self._drawn: dict[int, Inputs] = {}
        self._kept: dict[int, tuple[Rng, list[list[Inputs]]]] = {}  # by seed
        self._wants: dict[tuple[int, str, int], tuple[Array, ...]] = {}

    @cached_property
    def cases(self) -> list[Case]:
        """All cases, the simplest first; no two are the same."""
        ordinary = {feature: next(iter(kinds)) for feature, kinds in self.features.items()}
        single = (
            {**ordinary, feature: kind}
            for feature, kinds in self.features.items()
            for kind in kinds
        )
        edges = ({**ordinary, feature: k} for feature, ks in self.edges.items() for k in ks)
        alone = {"leading": NONE} if NONE in self.features.get("leading", {}) else {}
        alone = {**ordinary, **alone}
        number = len(self.draw(np.random.default_rng(0), Case(ordinary, "")))
        again = (
            {**ordinary, **alone, AGAIN: f"the same inputs but for number {n}{order}"}
            for n in range(number)
            for order in ("", *ORDERS)
        )
        same = (
            {**ordinary, "sizes": self.equal, SAME: label + view}
            for label in self.same
            for view in ("", BACKWARDS)
        )
        found: dict[tuple[str, ...], Case] = {}
        for kinds in chain([ordinary], single, again, edges, same, self._pairs()):
            if tuple(kinds.values()) not in found:
                special = [kind for feature, kind in kinds.items() if kind != ordinary.get(feature)]
                found[tuple(kinds.values())] = Case(kinds, ", ".join(special) or "ordinary inputs")
        return list(found.values())

    def _pairs(self) -> Iterator[Kinds]:
        """Rows in which every two kinds of different features meet, by an orthogonal array.

        With p levels for a prime p, feature j has level (a j + b) mod p in row (a, b): two features
        take every pair of levels once. A feature with fewer kinds repeats some.
        """
        most = max(len(self.features), *map(len, self.features.values()))
        p = next(prime for prime in PRIMES if prime >= most)
        for a in range(p):
            for b in range(p):
                yield {
                    feature: list(kinds)[(a * j + b) % p % len(kinds)]
                    for j, (feature, kinds) in enumerate(self.features.items())
                }

    def draw(self, rng: np.random.Generator, case: Case) -> Inputs:
        """Inputs of a case, read-only."""
        if AGAIN in case.kinds:
            return self._again(case)
        chosen = {
            feature: {**self.features.get(feature, {}), **self.edges.get(feature, {})}[kind]
            for feature, kind in case.kinds.items()
            if feature != SAME
        }
        inputs = self.build(rng, **chosen)
        if SAME in case.kinds:
            label = case.kinds[SAME].removesuffix(BACKWARDS)
            *places, last = self.same[label]
            one = inputs[places[0]]
            view = one if label == case.kinds[SAME] else one[..., ::-1, :]
            inputs = tuple(
                view if at == last else one if at in places else each
                for at, each in enumerate(inputs)
            )
        for array in inputs:
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        return inputs

    def _again(self, case: Case) -> Inputs:
        """The ordinary inputs of a first draw, but one of them of a second, or in another order.

        Their numbers are eighths, so that sums do not depend on the order.
        """
        kinds = {**case.kinds}
        again = kinds.pop(AGAIN)
        drawn = (self.draw(np.random.default_rng(n), Case(kinds, "")) for n in (1, 2))
        inputs, others = ([in_eighths(value) for value in one] for one in drawn)
        order = next((order for order in ORDERS if again.endswith(order)), "")
        at = int(again.removesuffix(order).split()[-1])
        other = ORDERS[order](inputs[at]) if order else others[at]
        return tuple(other if place == at else each for place, each in enumerate(inputs))

    def assert_agrees(self, subject: Any, seed: int, want: Callable[..., Any], *names: str) -> None:
        """Check that a subject agrees with `want` on every case. Raises `Broken`.

        `want` takes the same inputs and returns arrays with these names. The simplest cases are
        asked first: most wrong answers need no others.
        """
        function = getattr(subject, self.function)
        for first, drawn in self._parts(seed):
            labels = [case.label for case in self.cases[first : first + len(drawn)]]
            at = 0
            try:
                for at, result in enumerate(each(function, drawn, labels)):
                    number = first + at
                    wanted = self._wanted((seed, want.__name__, number), want, drawn[at])
                    self._compare(number, unpack(result, *names), wanted, names)
            except Exception as error:
                vars(error)["call"] = self.function, drawn[vars(error).get("at", at)]
                raise

    def _compare(
        self, number: int, got: list[Array], want: tuple[Array, ...], names: tuple[str, ...]
    ) -> None:
        tolerance = self._limits[number]
        for one, other, name in zip(got, want, names, strict=True):
            if not is_same(one, other, tolerance):
                label = f"{name} for {self.cases[number].label}"
                assert_array(one, other.shape, other.dtype, label)
                assert_same(one, other, label, tolerance)

    @cached_property
    def _limits(self) -> list[float | None]:
        """The tolerance of every case."""
        return [self._tolerance(case) for case in self.cases]

    def _tolerance(self, case: Case) -> float | None:
        """The tolerance for a case, if it is not that of its dtype."""
        kinds = [*case.kinds.values(), *([EDGES] if case.kinds.keys() - self.features else [])]
        return max(self.tolerances.get(kind, 0.0) for kind in kinds) or None

    def _parts(self, seed: int) -> Iterator[tuple[int, list[Inputs]]]:
        """The number of the first case and the inputs of every part, kept for the next subject."""
        new = np.random.default_rng([seed, zlib.crc32(self.function.encode())])
        rng, kept = self._kept.setdefault(seed, (new, []))
        for part, (first, end) in enumerate(pairwise(PARTS)):
            if part == len(kept):
                kept.append([self.draw(rng, case) for case in self.cases[first:end]])
            yield first, kept[part]

    def _wanted(
        self, key: tuple[int, str, int], want: Callable[..., Any], inputs: Inputs
    ) -> tuple[Array, ...]:
        """The arrays wanted for a case, made when they are first needed."""
        if key not in self._wants:
            wanted = want(*inputs)
            self._wants[key] = wanted if isinstance(wanted, tuple) else (wanted,)
        return self._wants[key]

    def case(self, number: int) -> Case:
        """The case with this number: the cases in their order, and then random kinds."""
        if number < len(self.cases):
            return self.cases[number]
        rng = np.random.default_rng(number)
        kinds = {f: list(ks)[rng.integers(len(ks))] for f, ks in self.features.items()}
        return Case(kinds, ", ".join(kinds.values()))

    def inputs(self, number: int) -> Inputs:
        """Inputs of the case with this number, the same each time."""
        if number not in self._drawn:
            self._drawn[number] = self.draw(np.random.default_rng(number), self.case(number))
        return self._drawn[number]

    def difference(self, number: int, got: Answer, want: Answer) -> str | None:
        """How two answers to the inputs with this number differ, or None."""
        return difference(got, want, self._tolerance(self.case(number)))

    def answer(self, subject: Any, number: int) -> Answer:
        """The arrays that the subject returns for these inputs, or the exception it raises."""
        with np.errstate(all="ignore"):
            try:
                function = getattr(subject, self.function)
                call = partial(self.call, subject) if self.call else function
                returned = call(*self.inputs(number))
            except Exception as error:  # whatever a subject raises is its answer
                return error
        return _listed(returned)

    def answers(self, subject: Any) -> list[Answer]:
        """The answers of a subject in a worker to every case, if possible in few requests."""
        if not self.call:
            with suppress(Exception):  # then one by one, to see which cases raise
                function = getattr(subject, self.function)
                results = [function.each(part, once=True) for part in self._batches]
                return [_listed(one) for part in results for one in part]
        return [self.answer(subject, number) for number in range(len(self.cases))]

    @cached_property
    def _batches(self) -> list[list[Inputs]]:
        """The inputs of all cases by number, in parts."""
        ranges = (range(*slice(*ends).indices(len(self.cases))) for ends in pairwise(PARTS))
        return [[self.inputs(number) for number in numbers] for numbers in ranges]


def _listed(returned: Any) -> list[Array]:
    return list(returned) if isinstance(returned, tuple | list) else [returned]


def each(
    function: Any, batch: Sequence[Inputs], labels: Sequence[str], *, views: bool = False
) -> list[Any]:
    """The result of every call of a batch; an exception says for which inputs it was raised."""
    try:
        results: list[Any] = function.each(batch, views=views)
    except Exception as error:
        at = min(vars(error).get("at", 0), len(batch) - 1)
        error.add_note(f"for {labels[at]}")
        vars(error)["at"] = at
        raise
    if not isinstance(results, list) or len(results) != len(batch):
        raise Broken("the calls of a batch returned something else")
    return results


def module(source: str) -> ModuleType:
    """A module made from trusted source."""
    made = ModuleType("planted")
    exec(compile(source, "planted", "exec"), made.__dict__)
    return made


def difference(got: Answer, want: Answer, tolerance: float | None = None) -> str | None:
    """How two answers differ, or None if they are equal up to rounding."""
    if isinstance(got, Exception) or isinstance(want, Exception):
        raised = isinstance(got, Exception) and isinstance(want, Exception)
        return None if raised else f"got {got!r:.200}, want {want!r:.200}"
    try:
        for one, other in zip(got, want, strict=True):
            if is_same(one, other, tolerance):
                continue
            assert_array(one, other.shape, other.dtype, "output")
            nan = np.isnan(one) & np.isnan(other)
            assert_same(np.where(nan, 0, one), np.where(nan, 0, other), "output", tolerance)
    except (Broken, ValueError, AttributeError) as error:
        return str(error)
    return None
