"""The Contract section of a kata as data, to check calls against.

A call is a line `name(args) -> outs`. The lines after it say what each name may be:

    q, k  (..., Tq, H * D)  queries and keys, float64
    H     int               a number, which shapes may use
    keep  bool, broadcasts to (..., Tq, Tk)
    mask  any shape

A line may name `bool`, `int`, `float32` or `float64`; where it does not, the first float type that
the section names applies. A call that does not describe a name shares the other calls' line for it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from checker.proof.shapes import LEAD, Dims, Misfit, Sizes

CALL: Final = re.compile(r" {4}(\w+)\((.*)\) -> (\w+(?:, \w+)*)$")
LINE: Final = re.compile(r" {8}(\w+(?:, \w+)*) {2,}(\S.*)$")
MORE: Final = re.compile(r" {9,}(\S.*)$")  # the rest of the line above it
SHAPE: Final = re.compile(r"\(([^()]*)\)")
BROADCASTS: Final = re.compile(r"broadcasts to \(([^()]*)\)")
ANY: Final = re.compile(r"\b(any|same) shape")
DTYPE: Final = re.compile(r"\b(bool|int|float32|float64)(?:s|egers)?\b")


@dataclass(frozen=True)
class Form:
    """What may stand for a name: an int, or an array of one of these dtypes and this shape."""

    dims: Dims | None  # None: an int
    broadcasts: bool
    dtypes: frozenset[str]

    @property
    def order(self) -> int:
        """Ints give letters their sizes first; what broadcasts gives none, and comes last."""
        return 0 if self.dims is None else 2 if self.broadcasts else 1


@dataclass(frozen=True)
class Call:
    """A function of the contract: what it takes and returns, and the forms that are described."""

    name: str
    inputs: tuple[str, ...]
    optional: frozenset[str]  # inputs that may be left out, or be None
    outputs: tuple[str, ...]
    forms: dict[str, Form]

    @property
    def undescribed(self) -> list[str]:
        """The names that no line of the contract describes."""
        return [name for name in (*self.inputs, *self.outputs) if name not in self.forms]

    def check(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Check one call and what it returned. Raises `Misfit`."""
        if not len(self.inputs) - len(self.optional) <= len(inputs) <= len(self.inputs):
            raise Misfit(f"{len(inputs)} arguments, want {', '.join(self.inputs)}")
        if len(outputs) != len(self.outputs):
            raise Misfit(f"{len(outputs)} results, want {', '.join(self.outputs)}")
        values = [
            *zip(self.inputs, inputs, strict=False),
            *zip(self.outputs, outputs, strict=True),
        ]
        sizes = Sizes()
        for name, value in sorted(values, key=lambda pair: self.forms[pair[0]].order):
            if value is not None or name not in self.optional:
                _fit(name, value, self.forms[name], sizes)


def read(docstring: str) -> dict[str, Call]:
    """The calls in the Contract section of a docstring, by name."""
    section = docstring.partition("\nContract\n")[2]
    blocks = _blocks(section)
    everywhere = {name: text for _, lines in blocks for name, text in reversed(lines.items())}
    float_type = re.search(r"float(32|64)", section)
    default = float_type[0] if float_type else "float64"
    calls = {}
    for signatures, lines in blocks:
        texts = {**everywhere, **lines}
        forms = {name: form for name in texts if (form := _form(texts[name], default))}
        for name, inputs, outputs in signatures:
            calls[name] = _call(name, inputs, outputs, forms)
    return calls


def _blocks(section: str) -> list[tuple[list[tuple[str, ...]], dict[str, str]]]:
    """The signatures that stand together, and the text on each name below them."""
    blocks: list[tuple[list[tuple[str, ...]], dict[str, str]]] = []
    names: list[str] = []
    for line in section.splitlines():
        if call := CALL.match(line):
            if not blocks or blocks[-1][1]:
                blocks.append(([], {}))
            blocks[-1][0].append(call.groups())
        elif blocks and (entry := LINE.match(line)):
            names = entry[1].split(", ")
            blocks[-1][1].update(dict.fromkeys(names, entry[2]))
        elif blocks and names and (more := MORE.match(line)):
            blocks[-1][1].update({name: f"{blocks[-1][1][name]} {more[1]}" for name in names})
        else:
            names = []
    return blocks


def _call(name: str, inputs: str, outputs: str, forms: dict[str, Form]) -> Call:
    arguments = [one.partition("=") for one in inputs.split(", ") if one]
    return Call(
        name,
        tuple(argument for argument, _, _ in arguments),
        frozenset(argument for argument, _, value in arguments if value),
        tuple(outputs.split(", ")),
        forms,
    )


def _form(text: str, default: str) -> Form | None:
    """What a line says after the name; None if it says neither a shape nor int."""
    dtypes = frozenset(DTYPE.findall(text)) or frozenset({default})
    if found := BROADCASTS.search(text):
        return Form(_dims(found[1]), True, dtypes)
    if found := SHAPE.match(text):
        return Form(_dims(found[1]), False, dtypes)
    if re.match(r"int\b", text):
        return Form(None, False, dtypes)
    return Form((LEAD,), False, dtypes) if ANY.search(text) else None


def _dims(written: str) -> Dims:
    return tuple(dim for dim in written.replace(" ", "").replace("*", " * ").split(",") if dim)


def _fit(name: str, value: Any, form: Form, sizes: Sizes) -> None:
    """Check one value, and learn the sizes that it gives to letters. Raises `Misfit`."""
    if form.dims is None:
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            raise Misfit(f"{name} is a {type(value).__name__}, want an int")
        sizes.letters[name] = int(value)
        return
    if not isinstance(value, np.ndarray):
        raise Misfit(f"{name} is a {type(value).__name__}, want an array")
    dtype = "int" if value.dtype.kind in "iu" else value.dtype.name
    if dtype not in form.dtypes:
        raise Misfit(f"{name} is {dtype}, want {' or '.join(sorted(form.dtypes))}")
    fit = sizes.broadcast if form.broadcasts else sizes.fit
    try:
        fit(form.dims, value.shape)
    except Misfit as misfit:
        raise Misfit(f"{name} has shape {value.shape}: {misfit}") from None
