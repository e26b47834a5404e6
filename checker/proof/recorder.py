"""Every call that the invariants and the domain make, checked against the kata's contract."""

import ast
import inspect
import runpy
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any, Final

import numpy as np

from checker.judging.domain import Domain, module
from checker.kata.catalog import Kata
from checker.proof.contract import Call, read
from checker.proof.shapes import Misfit

DRAWS: Final = 2  # random generators for an invariant
INPUTS: Final = 100  # from the domain


class Watched:
    """The reference, as invariants see a subject: each call is checked and then made."""

    def __init__(self, reference: ModuleType, contract: dict[str, Call]) -> None:
        self._reference, self._contract = reference, contract
        self.called: set[str] = set()
        self.misfits: list[str] = []

    def __getattr__(self, name: str) -> "WatchedFunction":
        return WatchedFunction(partial(self._call, name))

    def _call(self, name: str, *inputs: Any) -> Any:
        returned = getattr(self._reference, name)(*inputs)
        self.called.add(name)
        if name not in self._contract:
            self.misfits.append(f"calls {name}, which is not in the Contract")
            return returned
        outputs = returned if isinstance(returned, tuple | list) else [returned]
        try:
            self._contract[name].check(inputs, outputs)
        except Misfit as misfit:
            self.misfits.append(f"calls {name} outside its Contract: {misfit}")
        return returned


class WatchedFunction:
    """A function of the reference; see `Watched`."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call

    def __call__(self, *inputs: Any) -> Any:
        """Check one call and make it."""
        return self.call(*inputs)

    def each(self, batch: Sequence[tuple[Any, ...]], *, views: bool = False) -> list[Any]:
        """Check every call of a batch and make it."""
        return [self.call(*inputs) for inputs in batch]


def problems(kata: Kata) -> Iterator[str]:
    """Calls that do not fit the contract, and parts of the contract that nothing calls."""
    tree = ast.parse(kata.file.read_text(encoding="utf-8"))
    contract = read(ast.get_docstring(tree) or "")
    if not contract:
        yield "the Contract has no line `name(inputs) -> outputs`"
    missing = {(call.name, name) for call in contract.values() for name in call.undescribed}
    for call, name in sorted(missing):
        yield f"the Contract of {call} has no line with the shape of {name}"
    if missing or not contract:
        return
    watched = Watched(module(kata.reference.read_text(encoding="utf-8")), contract)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from _invariants(kata, watched)
        yield from _domain(kata, watched)
    for name in contract.keys() - watched.called:
        yield f"the Contract names {name}, and no invariant calls it"


def _invariants(kata: Kata, watched: Watched) -> Iterator[str]:
    """The first misfit of each invariant, or the exception that kept it from being checked."""
    given = {
        "subject": watched,
        "rngs": [np.random.default_rng(draw) for draw in range(DRAWS)],
        "domain": Domain(kata.domain),
        "seed": 0,
    }
    for name, test in runpy.run_path(str(kata.invariants)).items():
        if not name.startswith("test_"):
            continue
        watched.misfits.clear()
        try:
            test(**{name: given[name] for name in inspect.signature(test).parameters})
        except Exception as error:
            yield f"{name} fails on the reference: {error!r:.200}"
        for misfit in watched.misfits[:1]:
            yield f"{name} {misfit}"


def _domain(kata: Kata, watched: Watched) -> Iterator[str]:
    """The first misfit among inputs of the domain."""
    domain = Domain(kata.domain)
    called = set(watched.called)
    for number in range(INPUTS):
        watched.misfits.clear()
        domain.answer(watched, number)
        for misfit in watched.misfits[:1]:
            yield f"input {number} of the domain {misfit}"
            return
    watched.called = called
